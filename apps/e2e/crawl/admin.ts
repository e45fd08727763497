import { expect } from '@playwright/test'
import {
  buttonIn,
  type Crawler,
  dialogOf,
  emit,
  expectSettled,
  openByEvent,
  openOverlay,
  submitInvalid,
  openStop,
  type Step,
  type Stop,
  stop,
  submitOf,
} from './crawler.ts'

/** The tabs of the administration, in their order. */
export const ADMIN_TABS = [
  'Overview',
  'Users',
  'Teams',
  'Challenges',
  'Submissions',
  'Blacklist',
  'Announcements',
  'Audit log',
  'Webhooks',
  'Settings',
] as const
export type Tab = (typeof ADMIN_TABS)[number]

export const openTab =
  (name: Tab) =>
  async ({ page, t }: Pick<Crawler, 'page' | 't'>): Promise<void> => {
    const main = page.locator('main')
    await main.getByRole('tab', { name: t(name), exact: true }).click()
    await expect(main.locator('[aria-busy=true]')).toHaveCount(0)
  }

const tab = (name: Tab): Stop => stop(`admin, ${name}`, openTab(name))

/** Presses the first button of this name in a tab's table (wide screen) or cards (phone). */
const pressFirst =
  (name: string): Step =>
  (crawler) => {
    const buttons = crawler.page.locator('main').getByRole('button', { name: crawler.t(name) })
    return openOverlay(crawler, buttons.and(crawler.page.locator(':visible')).first())
  }

const openActions: Step = (crawler) =>
  openOverlay(crawler, crawler.page.locator('main [aria-haspopup=menu]:visible').first())

const choose =
  (item: string): Step =>
  async (crawler) => {
    const { page, t } = crawler
    await expectSettled(page)
    // A menu closes when the window loses the focus, which keeps toasts from expiring during axe.
    if (!(await page.getByRole('menuitem').first().isVisible())) await openActions(crawler)
    await page.getByRole('menuitem', { name: t(item) }).click()
    await expect(dialogOf(page)).toBeVisible()
  }

const users = [
  tab('Users'),
  stop('admin, none found', async ({ page }) => {
    const main = page.locator('main')
    await main.getByRole('searchbox').fill('zzzzzz')
    await expect(main.getByText('zzzzzz').or(main.locator('svg[viewBox="-1 -1 194 130"]')).first()).toBeVisible()
  }),
  stop('admin, user', async (crawler) => {
    await crawler.page.locator('main').getByRole('searchbox').fill('member')
    await expect(crawler.page.locator('main [aria-haspopup=menu]:visible').nth(2)).toBeVisible()
    await pressFirst('View Details')(crawler)
  }),
  openStop('admin, user, menu', openActions),
  openStop('admin, warn', choose('Give Warning')),
  openStop('admin, password', async ({ page }) => {
    await dialogOf(page).locator('textarea, input').first().fill('Rude words in the team’s room')
    await submitOf(page).click()
    await expect(dialogOf(page).locator('input[type=password]')).toBeVisible()
  }),
  stop('admin, password missing', submitInvalid),
]

const otherTabs = [
  tab('Teams'),
  openStop('admin, team, menu', openActions),
  stop('admin, team, delete', choose('Delete Team')),
  stop('admin, team, members', choose('Manage members')),
  stop('admin, team to read', choose('Open Team')),
  tab('Challenges'),
  stop('admin, challenge, edit', pressFirst('Edit')),
  openStop('admin, challenge, create', ({ page }) => openByEvent(page, 'openCreateChallengeModal')),
  stop('admin, challenge, invalid fields and toast', submitInvalid),
  tab('Submissions'),
  stop('admin, submission', pressFirst('Details')),
  stop('admin, evaluate', pressFirst('Evaluate')),
  stop('admin, delete submission', pressFirst('Delete Submission')),
  tab('Blacklist'),
  openStop('admin, blacklist, add', pressFirst('Add address')),
  stop('admin, blacklist, invalid fields', submitInvalid),
  tab('Announcements'),
  openStop('admin, announcement', pressFirst('New announcement')),
  stop('admin, announcement, invalid fields', submitInvalid),
  tab('Audit log'),
  tab('Webhooks'),
  openStop('admin, webhooks, new', async ({ page, t }) => {
    const main = page.locator('main')
    for (const name of ['New webhook', 'Create webhook']) await buttonIn(main, t, name).click()
    await expect(main.locator('[aria-invalid=true]')).toBeVisible()
  }),
  tab('Settings'),
]

/** The stops of an administrator. */
export const ADMIN_STOPS = [
  stop('admin, Overview', async (crawler) => {
    await emit(crawler.page, 'navigateToAdmin')
    await expect(crawler.page.locator('main h1')).toBeVisible()
    await openTab('Overview')(crawler)
  }),
  ...users,
  ...otherTabs,
]

/** The administration while every request fails: each tab shows an error. */
export const OUTAGE_STOPS = ADMIN_TABS.map((name) =>
  stop(`admin, ${name}, failed`, async (crawler) => {
    const { page } = crawler
    if (name === 'Overview') await emit(page, 'navigateToAdmin')
    await openTab(name)(crawler)
    await expect(page.locator('main [role=alert]').first()).toBeVisible()
  }),
)
