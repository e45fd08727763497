import { expect, type Page } from '@playwright/test'
import { dialogOf, emit, openBy } from '../walk/scene.ts'
import { type Place, plainly, type Quiet, type Read, twice } from './place.ts'

const main = (page: Page) => page.locator('main')
const part = (name: string) => (page: Page) => page.locator(`#${name}`)
/** To a section of the page. */
export const bring = (name: string) => async (page: Page) => {
  await page.locator(`#${name}`).scrollIntoViewIfNeeded()
  await expect(page.locator(`#${name} h2`).first()).toBeVisible()
}

/** To a tab of the administration. */
export async function toTab(page: Page, name: string): Promise<void> {
  await emit(page, 'navigateToAdmin')
  await page.getByRole('tab', { name, exact: true }).click()
}

/** To somebody of the administration's list. */
export async function findUser(page: Page, email: string): Promise<void> {
  await toTab(page, 'Users')
  await page.getByLabel('Search users').fill(email)
  await expect(main(page).getByRole('row').filter({ hasText: email })).toHaveCount(1)
  // The row of the search, no more that of the whole list.
  await expect(main(page).getByRole('row')).toHaveCount(2)
}

const toDashboard = (page: Page) => emit(page, 'navigateToDashboard')

export async function toAccount(page: Page, tab: string): Promise<void> {
  await openBy(page, 'openAccount')
  await dialogOf(page).getByRole('tab', { name: tab }).click()
}

const read = (place: Omit<Read, 'kind'>): Read => ({ kind: 'read', ...place })
const quiet = (place: Omit<Quiet, 'kind'>): Quiet => ({ kind: 'quiet', ...place })

const NO_ADMIN_DATA = 'Failed to load admin data'
const adminPart = (tab: string, there: Read['there'], within: Read['within'] = main): Read =>
  read({ as: 'boss', open: (page) => toTab(page, tab), within, there, told: twice('Data Error', NO_ADMIN_DATA) })
const firstButton = (name: string) => (page: Page) => main(page).getByRole('button', { name }).first()

const unsentMails = (page: Page) =>
  main(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Mails that could not be sent' }) })
const warnings = (page: Page) =>
  dialogOf(page)
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Warnings' }) })

const NO_ACCOUNTS = 'Could not load user data for admin features'

/** What is read, each where its failure is told best. */
export const READS: Record<string, Place> = {
  'system.settings': read({
    as: 'visitor',
    open: bring('contact'),
    within: part('contact'),
    there: (page) => page.locator('#contact a[href^="mailto:"]').first(),
    told: plainly('The links could not be loaded'),
  }),
  'teams.list': read({
    as: 'visitor',
    open: bring('teams'),
    within: part('teams'),
    there: (page) => page.locator('#teams li').first(),
    told: (trouble) => ({ ...plainly('Failed to load teams')(trouble), toast: ['Error', 'Failed to load teams'] }),
  }),
  'challenges.list': read({
    as: 'visitor',
    open: bring('challenges'),
    within: part('challenges'),
    there: (page) => page.locator('#challenges h3 button').first(),
    told: twice('Error', 'Failed to load challenges'),
  }),
  'submissions.approved': read({
    as: 'visitor',
    open: bring('works'),
    within: part('works'),
    there: (page) => page.locator('#works li').first(),
    told: twice('Error', 'Error Loading Works'),
  }),
  'challenges.myTeamApplications': read({
    as: 'chef',
    open: async (page) => {
      await bring('challenges')(page)
      await page.locator('#challenges').getByRole('tab', { name: 'My Applications' }).click()
    },
    within: part('challenges'),
    there: (page) => page.locator('#challenges').getByRole('list', { name: 'My Applications' }),
    told: plainly('Your applications could not be loaded'),
  }),
  'challenges.active': read({
    as: 'chef',
    open: toDashboard,
    within: main,
    there: (page) => main(page).getByText('No team of yours has applied.').first(),
    told: plainly('Failed to load challenges'),
    isShownAtOnce: true,
  }),
  'users.dashboard': read({
    as: 'chef',
    open: toDashboard,
    within: main,
    there: (page, { team }) => main(page).getByRole('heading', { name: team.name }),
    told: twice('Error', 'Failed to load dashboard data'),
  }),
  'teams.submissions': read({
    as: 'chef',
    open: toDashboard,
    within: main,
    there: (page) => main(page).getByRole('list', { name: 'Team Submissions' }),
    told: plainly('The team’s submissions could not be loaded'),
  }),
  'teams.get': read({
    as: 'chef',
    open: (page, { team }) => openBy(page, 'openTeam', { teamId: team.id }),
    within: dialogOf,
    there: (page) => dialogOf(page).getByRole('heading', { name: 'Manage Team' }),
    told: plainly('Failed to load the team'),
  }),
  'users.teams': read({
    as: 'boss',
    open: async (page, { chef }) => {
      await findUser(page, chef.email)
      await main(page)
        .getByRole('button', { name: `Actions on ${chef.name}` })
        .click()
      await page.getByRole('menuitem', { name: 'Remove from Teams' }).click()
    },
    within: dialogOf,
    there: (page, { team }) => dialogOf(page).getByLabel(team.name),
    told: twice('Error', 'Failed to fetch user teams'),
  }),
  // One account of each member, where an administrator looks at a team: the team is there without them.
  'users.get': read({
    as: 'boss',
    open: (page, { team }) => openBy(page, 'openTeam', { teamId: team.id, manage: true }),
    within: dialogOf,
    there: (page) => dialogOf(page).getByText('Yellow Card 1'),
    failed: (within) => within.locator('div').filter({ hasText: NO_ACCOUNTS }).filter({ hasText: 'Try Again' }).last(),
    told: (trouble) => ({
      words: [NO_ACCOUNTS],
      toast:
        trouble === 'refused'
          ? ['Admin Data', NO_ACCOUNTS]
          : ['Error', 'Failed to load user data. Some admin features may not be available.'],
    }),
    isShownAtOnce: true,
  }),
  'auth.sessions': read({
    as: 'chef',
    open: (page) => toAccount(page, 'Devices'),
    within: dialogOf,
    there: (page) => dialogOf(page).getByText('This device'),
    told: plainly('Your devices could not be loaded'),
  }),
  // In the place where it is changed: it must be known as it is now.
  'challenges.get': read({
    as: 'boss',
    open: (page, { challenge }) => openBy(page, 'openEditChallengeModal', { challengeId: challenge.id }),
    within: dialogOf,
    there: (page) => dialogOf(page).getByRole('button', { name: 'Save changes' }),
    told: plainly('Failed to load challenges'),
  }),
  'admin.stats': adminPart('Overview', (page) => main(page).getByRole('heading', { name: 'Urgent items' })),
  'users.list': adminPart('Users', firstButton('View Details')),
  'admin.listChallenges': adminPart('Challenges', firstButton('Edit')),
  'submissions.list': adminPart('Submissions', firstButton('Details')),
  'admin.blacklist': adminPart('Blacklist', firstButton('Remove')),
  'admin.audit': adminPart('Audit log', (page) => main(page).getByRole('row').nth(1)),
  'admin.settings': adminPart('Settings', (page) => main(page).getByRole('switch', { name: 'Team Creation' })),
  'admin.mails': adminPart('Settings', (page) => main(page).getByText('All mails were sent.'), unsentMails),
  'admin.warnings': read({
    as: 'boss',
    open: async (page, { mate }) => {
      await findUser(page, mate.email)
      await firstButton('View Details')(page).click()
    },
    within: warnings,
    there: (page) => warnings(page).getByText('No warnings.'),
    told: plainly(NO_ADMIN_DATA),
  }),
  'submissions.pending': quiet({
    why: 'The way from one pending work to the next is missing; the one that is open is judged as ever.',
    as: 'boss',
    open: async (page, { challenge }) => {
      await toTab(page, 'Submissions')
      await page.getByLabel('Search submissions').fill(challenge.title)
      await main(page)
        .getByRole('row')
        .filter({ hasText: challenge.title })
        .getByRole('button', { name: 'Evaluate' })
        .click()
    },
    stays: (page) => dialogOf(page).getByRole('button', { name: 'Submit Evaluation' }),
  }),
  'teams.standings': quiet({
    why: 'One’s own teams are not marked on the leaderboard; the leaderboard is there.',
    as: 'chef',
    open: bring('leaderboard'),
    // It may be asked for in one request with this: a line that is cut is cut for both.
    stays: (page) => page.locator('#leaderboard h2').first(),
  }),
  'teams.pointsHistory': quiet({
    why: 'Like the leaderboard over it, the chart says nothing of a backend that is away.',
    as: 'visitor',
    open: async (page) => {
      await bring('leaderboard')(page)
      await page.locator('#leaderboard').evaluate((one) => one.scrollIntoView({ block: 'end', behavior: 'instant' }))
    },
    stays: (page) => page.locator('#leaderboard').getByRole('table').first(),
  }),
}
