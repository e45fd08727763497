import { expect } from '@playwright/test'
import { dialogOf, emit, openBy, type Crawler, type Stop } from './crawler.ts'

/** Loads the page anew with every call of the app answered like this. */
async function reloadWith({ page, site }: Crawler, answer: 'nothing yet' | 'cut', hash = ''): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/trpc/**', (route) => (answer === 'cut' ? route.abort() : undefined))
  await page.goto(`${site.url}/#${hash}`)
  await page.reload()
}

const failed = '[role=alert] button'
/** Reads are tried three times before they are given up. */
const GIVEN_UP = { timeout: 20_000 }

/** Loading, failing and being offline: of the page, then of what is for members. Needs a page of its own. */
export const FAILURES: readonly Stop[] = [
  {
    name: 'page, loading',
    isLoading: true,
    show: async (crawler) => {
      await reloadWith(crawler, 'nothing yet')
      await expect(crawler.page.locator('#leaderboard .skeleton').first()).toBeVisible()
    },
  },
  {
    name: 'dashboard, loading',
    isLoading: true,
    show: async (crawler) => {
      await emit(crawler.page, 'navigateToDashboard')
      await expect(crawler.page.locator('main h1')).toBeVisible()
    },
  },
  {
    name: 'team, loading',
    isLoading: true,
    show: ({ page }) => openBy(page, 'openTeam', { teamId: '00000000-0000-4000-8000-000000000000' }),
  },
  {
    name: 'page, failed, with toast',
    show: async (crawler) => {
      await reloadWith(crawler, 'cut')
      // The leaderboard stays empty without a word: so the specification has it.
      for (const section of ['teams', 'challenges', 'works']) {
        await crawler.page.locator(`#${section}`).scrollIntoViewIfNeeded()
        await expect(crawler.page.locator(`#${section} ${failed}`).first()).toBeVisible(GIVEN_UP)
      }
    },
  },
  {
    name: 'team, failed',
    show: async ({ page }) => {
      await openBy(page, 'openTeam', { teamId: '00000000-0000-4000-8000-000000000000' })
      await expect(dialogOf(page).locator(failed)).toBeVisible(GIVEN_UP)
    },
  },
  {
    name: 'dashboard, failed',
    show: async ({ page }) => {
      await emit(page, 'navigateToDashboard')
      await expect(page.locator(`main ${failed}`).first()).toBeVisible(GIVEN_UP)
    },
  },
  {
    name: 'offline',
    show: async ({ page, say }) => {
      await page.context().setOffline(true)
      await expect(
        page.getByText(say('You are offline. What is loaded stays readable; changes have to wait.')),
      ).toBeVisible()
    },
  },
]
