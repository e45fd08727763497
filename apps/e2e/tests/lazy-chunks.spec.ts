import { type Browser, expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { createChallenge, holdRequests, openApp, url, waitForNetwork } from './steps.ts'

const STOPPED_TEXT = 'This part of the page stopped working'
/** Toaster, footer and live stream. */
const LATER_CHUNK = /\/assets\/later-[^/]+\.js$/

/** Opens the app with lazy chunks blocked. The app reloads itself once, as a release may have removed old chunks; waits for that. */
async function openWithoutChunks(browser: Browser, chunks: RegExp): Promise<Page> {
  const { page } = await openApp(browser, { prepare: (newPage) => newPage.route(chunks, (route) => route.abort()) })
  await page.waitForFunction(() =>
    performance.getEntriesByType('navigation').some((entry) => entry.toJSON().type === 'reload'),
  )
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return page
}

/** All chunks but those of the first load: entry, first screen, runtime, English texts. */
const LAZY_CHUNKS = /\/assets\/(?!index|base|rolldown|en-)[^/]+\.js$/

test('sections and dialogs that fail to load show an error without affecting the rest of the page; Try Again loads them', async ({
  browser,
}) => {
  const page = await openWithoutChunks(browser, LAZY_CHUNKS)
  await expect(page.locator('#teams').getByText(STOPPED_TEXT)).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  const errorAlert = page.getByRole('alert').filter({ hasText: STOPPED_TEXT }).last()
  await expect(errorAlert).toBeInViewport()
  await expect(errorAlert.getByRole('button', { name: 'Try Again' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.unroute(LAZY_CHUNKS)
  // One Try Again retries every failed chunk.
  await page.locator('#teams').getByRole('button', { name: 'Try Again' }).click()
  await expect(page.locator('#teams h2')).toBeVisible()
  await expect(page.getByText(STOPPED_TEXT)).toHaveCount(0)
  await expect(page.getByRole('dialog', { name: 'Welcome to the community' })).toBeVisible()
})

test('a dialog whose scripts are slow says that it loads', async ({ browser }) => {
  const { page } = await openApp(browser)
  const release = await holdRequests(page, '**/assets/auth-*.js')
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  // The sections of the page may be loading too.
  const loading = page.getByRole('status').filter({ hasText: 'Loading...' }).and(page.locator(':not(main *)'))
  await expect(loading).toBeVisible()
  await expect(loading).toBeInViewport()
  release()
  await expect(page.getByRole('dialog', { name: 'Welcome to the community' })).toBeVisible()
  await expect(loading).toHaveCount(0)
})

test('a toaster that failed to load is loaded by the next click', async ({ browser }) => {
  const page = await openWithoutChunks(browser, LATER_CHUNK)
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/later-')),
  )
  await page.unroute(LATER_CHUNK)
  await expect(page.getByRole('region', { name: 'Notifications' })).toHaveCount(0)
  // The import may reject only after the first click, so click again until it loads.
  await expect(async () => {
    await page.getByRole('heading', { level: 1 }).click()
    await expect(page.getByRole('region', { name: 'Notifications' })).toBeAttached({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })
})

test('a toaster that never loads does not reload the page, and dialogs still open', async ({ browser }) => {
  const page = await openWithoutChunks(browser, LATER_CHUNK)
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  let failures = 0
  page.on('requestfailed', (request) => {
    if (LATER_CHUNK.test(request.url())) failures++
  })
  const clickUntilFailures = (count: number) =>
    expect(async () => {
      await page.getByRole('heading', { level: 1 }).click()
      expect(failures).toBeGreaterThanOrEqual(count)
    }).toPass({ timeout: 20_000 })
  // The first load may reload the page; its failure is before these.
  await clickUntilFailures(3)
  // From now on, a chunk that fails to load may reload the page again.
  await page.evaluate(() => sessionStorage.clear())
  await clickUntilFailures(failures + 3)
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('chunks that keep failing reload the page once, however slowly it loads', async ({ browser }) => {
  let loads = 0
  const { page } = await openApp(browser, {
    prepare: async (newPage) => {
      await newPage.route(LAZY_CHUNKS, (route) => route.abort())
      await newPage.addInitScript(() => {
        const now = performance.now.bind(performance)
        performance.now = () => now() + 60_000
      })
      newPage.on('load', () => loads++)
    },
  })
  // The first chunk that fails makes the page reload.
  await expect.poll(() => loads).toBe(2)
  await expect(page.locator('#teams').getByText(STOPPED_TEXT)).toBeVisible()
  // Each further chunk fails too.
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert').filter({ hasText: STOPPED_TEXT }).last()).toBeInViewport()
  expect(loads).toBe(2)
})

test('a visitor whose language fails to load at page load gets English', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: url, locale: 'fr-MA' })
  const page = await context.newPage()
  await page.route(/\/assets\/fr-[^/]+\.js$/, (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Form a team. Take the challenge. Climb the leaderboard.',
  )
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('offline, a dialog whose chunk is missing shows an error without reloading the page; online, it opens', async ({
  browser,
}) => {
  // The open event stream would keep the network from being idle.
  const prepare = (opening: Page) => opening.route('**/api/events', (route) => route.abort())
  const { page } = await openApp(browser, { prepare })
  await expect(page.locator('#contact h2').first()).toBeAttached()
  await page.waitForLoadState('networkidle')
  // Lost if the page reloads.
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.context().setOffline(true)
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  const errorAlert = page.getByRole('alert').filter({ hasText: STOPPED_TEXT })
  await expect(errorAlert).toBeInViewport()
  const retryFailed = page.waitForEvent('requestfailed')
  await errorAlert.getByRole('button', { name: 'Try Again' }).click()
  await retryFailed
  await expect(errorAlert).toBeInViewport()
  await page.context().setOffline(false)
  await expect(page.getByRole('dialog', { name: 'Welcome to the community' })).toBeVisible()
  await expect(errorAlert).toHaveCount(0)
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('a language that fails to load shows an error and keeps English; choosing it again loads it', async ({
  browser,
}) => {
  const { page } = await openApp(browser)
  // The toaster is a lazy chunk: it must be loaded before going offline.
  await expect(page.getByRole('region', { name: 'Notifications' })).toBeAttached()
  await page.context().setOffline(true)
  const language = page.getByRole('banner').getByLabel('Language')
  await language.selectOption('fr')
  await expect(page.getByText('The language could not be loaded. Please try again.').first()).toBeVisible()
  await expect(language).toHaveValue('en')
  await page.context().setOffline(false)
  await waitForNetwork(page)
  await language.selectOption('fr')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
})

test('a chunk lost on a dead connection does not replace the page by the browser’s error page', async ({ browser }) => {
  const prepare = (opening: Page) => opening.route('**/api/events', (route) => route.abort())
  const { page } = await openApp(browser, { prepare })
  await expect(page.locator('#contact h2').first()).toBeAttached()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  // The browser still counts as online.
  await page.route('**/*', (route) => route.abort())
  const documentRequest = page.waitForEvent('requestfailed', (request) => new URL(request.url()).pathname === '/')
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('alert').filter({ hasText: STOPPED_TEXT })).toBeInViewport()
  await documentRequest
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('offline, the details of a challenge that do not load leave the list on the page', async ({ browser }) => {
  const challenge = await createChallenge()
  const prepare = (opening: Page) => opening.route('**/api/events', (route) => route.abort())
  const { page } = await openApp(browser, { prepare, at: '/#challenges' })
  const card = page.locator('#challenges').getByRole('button', { name: challenge.title, exact: true })
  await expect(card).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await card.click()
  await expect(page.getByRole('alert').filter({ hasText: STOPPED_TEXT })).toBeInViewport()
  await expect(card).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('dialog', { name: challenge.title })).toBeVisible()
})
