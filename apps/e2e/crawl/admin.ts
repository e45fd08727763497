import { expect } from '@playwright/test'
import { ask } from '../api.ts'
import { dialogOf, emit, openBy, press, type Crawler, sendBad, type Stop, submitOf } from './crawler.ts'

type Tab = 'Overview' | 'Users' | 'Teams' | 'Challenges' | 'Submissions' | 'Blacklist' | 'Audit log' | 'Settings'

async function goTo({ page, say }: Crawler, tab: Tab): Promise<void> {
  await page
    .locator('main')
    .getByRole('tab', { name: say(tab), exact: true })
    .click()
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
}

const tab = (name: Tab): Stop => ({ name: `admin, ${name}`, show: (crawler) => goTo(crawler, name) })

/** Presses the first button of this name in what a tab shows: tables on a wide screen, cards on a phone. */
async function pressFirst(crawler: Crawler, name: string): Promise<void> {
  const buttons = crawler.page.locator('main').getByRole('button', { name: crawler.say(name) })
  await press(crawler, buttons.and(crawler.page.locator(':visible')).first())
}

async function openActions(crawler: Crawler): Promise<void> {
  await press(crawler, crawler.page.locator('main [aria-haspopup=menu]:visible').first())
}

async function choose(crawler: Crawler, item: string): Promise<void> {
  const { page, say } = crawler
  // A menu closes when its window loses the focus, as it does where toasts are held still for axe.
  if (!(await page.getByRole('menuitem').first().isVisible())) await openActions(crawler)
  await page.getByRole('menuitem', { name: say(item) }).click()
  await expect(dialogOf(page)).toBeVisible()
}

const users: Stop[] = [
  tab('Users'),
  {
    name: 'admin, none found',
    show: async ({ page }) => {
      await page.locator('main').getByRole('searchbox').fill('zzzzzz')
      await expect(
        page.locator('main').getByText('zzzzzz').or(page.locator('main svg[viewBox="-1 -1 194 130"]')).first(),
      ).toBeVisible()
    },
  },
  {
    name: 'admin, user',
    show: async (crawler) => {
      await crawler.page.locator('main').getByRole('searchbox').fill('member')
      await expect(crawler.page.locator('main [aria-haspopup=menu]:visible').nth(2)).toBeVisible()
      await pressFirst(crawler, 'View Details')
    },
  },
  { name: 'admin, user, menu', show: (crawler) => openActions(crawler), stays: true },
  {
    name: 'admin, warn',
    stays: true,
    show: (crawler) => choose(crawler, 'Give Warning'),
  },
  {
    name: 'admin, password',
    stays: true,
    show: async ({ page }) => {
      await dialogOf(page).locator('textarea, input').first().fill('Rude words in the team’s room')
      await submitOf(page).click()
      await expect(dialogOf(page).locator('input[type=password]')).toBeVisible()
    },
  },
  { name: 'admin, password missing', show: sendBad },
]

const teams: Stop[] = [
  tab('Teams'),
  { name: 'admin, team, menu', show: (crawler) => openActions(crawler), stays: true },
  {
    name: 'admin, team, delete',
    show: (crawler) => choose(crawler, 'Delete Team'),
  },
  {
    name: 'admin, team, members',
    show: async ({ page, site }) => {
      const { teams: all } = await ask<{ teams: { id: string }[] }>(site, 'GET /teams?limit=1', null)
      await openBy(page, 'openTeam', { teamId: all[0]?.id, manage: true })
    },
  },
  {
    name: 'admin, team to read',
    show: async ({ page, site }) => {
      const { teams: all } = await ask<{ teams: { id: string }[] }>(site, 'GET /teams?limit=1', null)
      await openBy(page, 'openTeam', { teamId: all[0]?.id })
    },
  },
]

const challenges: Stop[] = [
  tab('Challenges'),
  { name: 'admin, challenge, edit', show: (crawler) => pressFirst(crawler, 'Edit') },
  {
    name: 'admin, challenge, create',
    stays: true,
    show: ({ page }) => openBy(page, 'openCreateChallengeModal'),
  },
  { name: 'admin, challenge, refused fields and toast', show: sendBad },
]

const submissions: Stop[] = [
  tab('Submissions'),
  { name: 'admin, submission', show: (crawler) => pressFirst(crawler, 'Details') },
  { name: 'admin, evaluate', show: (crawler) => pressFirst(crawler, 'Evaluate') },
  {
    name: 'admin, delete submission',
    show: (crawler) => pressFirst(crawler, 'Delete Submission'),
  },
]

const lists: Stop[] = [
  tab('Blacklist'),
  {
    name: 'admin, blacklist, add',
    stays: true,
    show: (crawler) => pressFirst(crawler, 'Add address'),
  },
  { name: 'admin, blacklist, refused fields', show: sendBad },
  tab('Audit log'),
  tab('Settings'),
]

/** What an administrator meets. */
export const ADMIN_STOPS: readonly Stop[] = [
  {
    name: 'admin, Overview',
    show: async (crawler) => {
      await emit(crawler.page, 'navigateToAdmin')
      await expect(crawler.page.locator('main h1')).toBeVisible()
      await goTo(crawler, 'Overview')
    },
  },
  ...users,
  ...teams,
  ...challenges,
  ...submissions,
  ...lists,
]

const TABS: readonly Tab[] = [
  'Overview',
  'Users',
  'Teams',
  'Challenges',
  'Submissions',
  'Blacklist',
  'Audit log',
  'Settings',
]

/** The administration while nothing answers as it should: every tab says so. Needs a page of its own. */
export const ADMIN_OUTAGE: readonly Stop[] = TABS.map((name) => ({
  name: `admin, ${name}, failed`,
  show: async (crawler) => {
    const { page } = crawler
    if (name === 'Overview') {
      await page.route('**/trpc/**', (route) => route.fulfill({ status: 504, body: 'Upstream is asleep' }))
      await emit(page, 'navigateToAdmin')
    }
    await goTo(crawler, name)
    await expect(page.locator('main [role=alert]').first()).toBeVisible()
  },
}))
