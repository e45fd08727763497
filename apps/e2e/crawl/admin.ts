import { expect } from '@playwright/test'
import { ask } from '../api.ts'
import { dialogOf, emit, openBy, press, type Scene, sendBad, type Stop, submitOf } from './scene.ts'

type Tab = 'Overview' | 'Users' | 'Teams' | 'Challenges' | 'Submissions' | 'Blacklist' | 'Audit log' | 'Settings'

async function goTo({ page, say }: Scene, tab: Tab): Promise<void> {
  await page
    .locator('main')
    .getByRole('tab', { name: say(tab), exact: true })
    .click()
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
}

const tab = (name: Tab): Stop => ({ name: `admin, ${name}`, show: (scene) => goTo(scene, name) })

/** Presses the first button of this name in what a tab shows: tables on a wide screen, cards on a phone. */
async function pressFirst(scene: Scene, name: string): Promise<void> {
  const buttons = scene.page.locator('main').getByRole('button', { name: scene.say(name) })
  await press(scene, buttons.and(scene.page.locator(':visible')).first())
}

async function openActions(scene: Scene): Promise<void> {
  await press(scene, scene.page.locator('main [aria-haspopup=menu]:visible').first())
}

async function choose(scene: Scene, item: string): Promise<void> {
  const { page, say } = scene
  // A menu closes when its window loses the focus, as it does where toasts are held still for axe.
  if (!(await page.getByRole('menuitem').first().isVisible())) await openActions(scene)
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
    show: async (scene) => {
      await scene.page.locator('main').getByRole('searchbox').fill('member')
      await expect(scene.page.locator('main [aria-haspopup=menu]:visible').nth(2)).toBeVisible()
      await pressFirst(scene, 'View Details')
    },
  },
  { name: 'admin, user, menu', show: (scene) => openActions(scene), stays: true },
  {
    name: 'admin, warn',
    stays: true,
    show: (scene) => choose(scene, 'Give Warning'),
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
  { name: 'admin, team, menu', show: (scene) => openActions(scene), stays: true },
  {
    name: 'admin, team, delete',
    show: (scene) => choose(scene, 'Delete Team'),
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
  { name: 'admin, challenge, edit', show: (scene) => pressFirst(scene, 'Edit') },
  {
    name: 'admin, challenge, create',
    stays: true,
    show: ({ page }) => openBy(page, 'openCreateChallengeModal'),
  },
  { name: 'admin, challenge, refused fields and toast', show: sendBad },
]

const submissions: Stop[] = [
  tab('Submissions'),
  { name: 'admin, submission', show: (scene) => pressFirst(scene, 'Details') },
  { name: 'admin, evaluate', show: (scene) => pressFirst(scene, 'Evaluate') },
  {
    name: 'admin, delete submission',
    show: (scene) => pressFirst(scene, 'Delete Submission'),
  },
]

const lists: Stop[] = [
  tab('Blacklist'),
  {
    name: 'admin, blacklist, add',
    stays: true,
    show: (scene) => pressFirst(scene, 'Add address'),
  },
  { name: 'admin, blacklist, refused fields', show: sendBad },
  tab('Audit log'),
  tab('Settings'),
]

/** What an administrator meets. */
export const ADMIN_STOPS: readonly Stop[] = [
  {
    name: 'admin, Overview',
    show: async (scene) => {
      await emit(scene.page, 'navigateToAdmin')
      await expect(scene.page.locator('main h1')).toBeVisible()
      await goTo(scene, 'Overview')
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
  show: async (scene) => {
    const { page } = scene
    if (name === 'Overview') {
      await page.route('**/trpc/**', (route) => route.fulfill({ status: 504, body: 'Upstream is asleep' }))
      await emit(page, 'navigateToAdmin')
    }
    await goTo(scene, name)
    await expect(page.locator('main [role=alert]').first()).toBeVisible()
  },
}))
