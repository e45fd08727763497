import { expect } from '@playwright/test'
import { dialogOf, emit, expectSettled, openOverlay, type Crawler, type Step, stop } from './crawler.ts'

/** Reloads the page with every request of the app pending or failed. */
async function reloadWith({ page, site }: Crawler, outcome: 'pending' | 'failed'): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/trpc/**', (route) => (outcome === 'failed' ? route.abort() : undefined))
  await page.goto(`${site.url}/#`)
  await page.reload()
}

const RETRY_BUTTON = '[role=alert] button'
/** Queries are tried three times; after a reload in one section, the others wait eight seconds for it. */
const LONG_TIMEOUT = { timeout: 20_000 }

/** Opens the team of a card with its request pending or failed. */
const openCard =
  (nth: number, outcome: 'pending' | 'failed'): Step =>
  async (crawler) => {
    const { page } = crawler
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.locator('#teams').scrollIntoViewIfNeeded()
    await expect(page.locator('#teams article').first()).toBeVisible()
    await page.route('**/trpc/*teams.get*', (route) => (outcome === 'failed' ? route.abort() : undefined))
    await expectSettled(page)
    await openOverlay(crawler, page.locator('#teams article').getByRole('button').nth(nth))
  }

/** The loading, error and offline states of the page, then of the members' parts. Needs its own page. */
export const FAILURE_STOPS = [
  stop('team, loading', openCard(0, 'pending'), { isLoading: true }),
  stop('team, failed', async (crawler) => {
    await openCard(1, 'failed')(crawler)
    await expect(dialogOf(crawler.page).locator(RETRY_BUTTON)).toBeVisible(LONG_TIMEOUT)
  }),
  stop(
    'page, loading',
    async (crawler) => {
      await reloadWith(crawler, 'pending')
      await expect(crawler.page.locator('#leaderboard .skeleton').first()).toBeVisible(LONG_TIMEOUT)
    },
    { isLoading: true },
  ),
  stop(
    'dashboard, loading',
    async ({ page }) => {
      await emit(page, 'navigateToDashboard')
      await expect(page.locator('main h1')).toBeVisible()
    },
    { isLoading: true },
  ),
  stop('page, failed, with toast', async (crawler) => {
    await reloadWith(crawler, 'failed')
    // The specification wants the leaderboard empty without a message.
    for (const section of ['teams', 'challenges', 'works']) {
      await crawler.page.locator(`#${section}`).scrollIntoViewIfNeeded()
      await expect(crawler.page.locator(`#${section} ${RETRY_BUTTON}`).first()).toBeVisible(LONG_TIMEOUT)
    }
  }),
  stop('dashboard, failed', async ({ page }) => {
    await emit(page, 'navigateToDashboard')
    await expect(page.locator(`main ${RETRY_BUTTON}`).first()).toBeVisible(LONG_TIMEOUT)
  }),
  stop('offline', async ({ page, t }) => {
    await page.context().setOffline(true)
    const banner = t('You are offline. You can read what has already loaded, but you cannot make changes.')
    await expect(page.getByText(banner)).toBeVisible()
  }),
]
