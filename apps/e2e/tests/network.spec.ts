import { sampledForTier } from '@community/testing'
import { type Browser, expect, type Page, type Route } from '@playwright/test'
import { test } from '../test.ts'
import { callApi, createTeam, openApp, PHONE, registerMember, url, word } from './steps.ts'

const TIMEOUT_TEXT = 'Request timeout - please check your connection and try again'
const NETWORK_TEXT = 'Network error - please check your internet connection and ensure the backend server is running'
const OFFLINE_TEXT = 'You are offline. What is loaded stays readable; changes have to wait.'
const UNAVAILABLE_TEXT = 'The service is unavailable right now. Please try again.'
const STOPPED_TEXT = 'This part of the page stopped working'

/** Toaster and confirmation dialogs. */
const OVERLAYS_CHUNK = /\/assets\/overlays-[^/]+\.js$/

const htmlResponse = { contentType: 'text/html', body: '<!doctype html><title>Bad gateway</title><h1>502</h1>' }
const unavailableError = {
  error: {
    message: UNAVAILABLE_TEXT,
    code: -32_603,
    data: { httpStatus: 503, failure: { success: false, message: UNAVAILABLE_TEXT, code: 'UNAVAILABLE', errors: [] } },
  },
}
/** Responds 503, with one error for each procedure of the batch. */
const respondUnavailable = (route: Route) => {
  const { pathname, searchParams } = new URL(route.request().url())
  const count = decodeURIComponent(pathname).split(',').length
  const body = searchParams.has('batch') ? Array.from({ length: count }, () => unavailableError) : unavailableError
  return route.fulfill({ status: 503, json: body })
}

interface Fault {
  name: string
  respond: (route: Route) => unknown
  /** What a section shows when its query fails. */
  queryError: string
  /** When a sign-in fails: the toast's title, and the message in both toast and form. */
  signInError: [title: string, message: string]
  neverAnswers?: boolean
}

/** Just longer than `REQUEST_TIMEOUT_MS` of the contract. */
const PAST_CLIENT_TIMEOUT_MS = 10_500
/** Just longer than the time after a reload in which the app does not reload again for a missing chunk (`ONCE_IN_MS` in main.tsx). */
const RELOAD_ALLOWED_AFTER_MS = 10_500
const SIGN_IN_FAILED_TEXT = "We couldn't sign you in. Please try again."

// Unit tests: lib/transport.test.ts classifies responses, features/auth/failure-texts.test.ts chooses the messages.
const FAULTS: readonly Fault[] = [
  {
    name: 'aborted connection',
    respond: (route) => route.abort(),
    queryError: NETWORK_TEXT,
    signInError: ['Connection Error', NETWORK_TEXT],
  },
  {
    name: 'no response',
    respond: () => undefined,
    queryError: TIMEOUT_TEXT,
    signInError: ['Timeout Error', TIMEOUT_TEXT],
    neverAnswers: true,
  },
  {
    name: '503 from the server',
    respond: respondUnavailable,
    queryError: UNAVAILABLE_TEXT,
    signInError: ['Login failed', SIGN_IN_FAILED_TEXT],
  },
  {
    name: '500 with an HTML page',
    respond: (route) => route.fulfill({ status: 500, ...htmlResponse }),
    queryError: 'HTTP 500',
    signInError: ['Login failed', SIGN_IN_FAILED_TEXT],
  },
  {
    name: '200 with an HTML page',
    respond: (route) => route.fulfill({ status: 200, ...htmlResponse }),
    queryError: 'Invalid response format',
    signInError: ['Login failed', SIGN_IN_FAILED_TEXT],
  },
  {
    name: 'truncated JSON',
    respond: (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '[{"result":{"da' }),
    queryError: 'Invalid response format',
    signInError: ['Login failed', SIGN_IN_FAILED_TEXT],
  },
  {
    name: 'empty body',
    respond: (route) => route.fulfill({ status: 200, body: '' }),
    queryError: 'Invalid response format',
    signInError: ['Login failed', SIGN_IN_FAILED_TEXT],
  },
  {
    name: '504 with plain text',
    respond: (route) => route.fulfill({ status: 504, contentType: 'text/plain', body: 'Upstream is asleep' }),
    queryError: 'Upstream is asleep',
    signInError: ['Login failed', SIGN_IN_FAILED_TEXT],
  },
]

/** Opens the app with a fault. `passClientTimeout` advances the fake clock past the client's timeout if the fault never answers. */
async function openWithFault(
  browser: Browser,
  { respond, neverAnswers }: Fault,
): Promise<{ page: Page; passClientTimeout: () => Promise<void> }> {
  const prepare = async (page: Page) => {
    if (neverAnswers) await page.clock.install()
    await page.route('**/trpc/**', respond)
  }
  const { page } = await openApp(browser, { prepare })
  return {
    page,
    passClientTimeout: async () => void (neverAnswers && (await page.clock.runFor(PAST_CLIENT_TIMEOUT_MS))),
  }
}

for (const fault of sampledForTier(FAULTS, 2, 'reading'))
  test(`a query fails (${fault.name}): the section shows why, the header stays, Try Again loads the teams`, async ({
    browser,
  }) => {
    const { page, passClientTimeout } = await openWithFault(browser, fault)
    await page.locator('#teams').scrollIntoViewIfNeeded()
    await expect(page.locator('#teams h2')).toBeVisible()
    await passClientTimeout()
    const alert = page.locator('#teams').getByRole('alert')
    await expect(alert).toContainText('Failed to load teams', { timeout: 20_000 })
    await expect(alert).toContainText(fault.queryError)
    await expect(page.getByRole('banner')).toBeVisible()
    await page.unroute('**/trpc/**')
    await alert.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.locator('#teams').getByRole('alert')).toHaveCount(0)
    await expect(page.locator('#teams').getByText(/teams? found/i)).toBeVisible()
  })

for (const fault of sampledForTier(FAULTS, 2, 'writing'))
  test(`a sign-in fails (${fault.name}): form and toast show why, the fields keep their values`, async ({
    browser,
  }) => {
    const { page, passClientTimeout } = await openWithFault(browser, fault)
    await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Continue with Email' }).click()
    await dialog.getByLabel('Email', { exact: true }).fill('sara@example.ma')
    await dialog.getByLabel('Password', { exact: true }).fill('Zellige2026')
    await dialog.getByRole('button', { name: 'Sign In', exact: true }).click()
    await passClientTimeout()
    const [title, message] = fault.signInError
    const toast = page.locator('.toast').filter({ hasText: title })
    await expect(toast).toContainText(message)
    await expect(
      dialog
        .getByRole('alert')
        .filter({ hasNot: page.locator('.toast') })
        .first(),
    ).toContainText(message)
    await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue('sara@example.ma')
    await expect(dialog.getByRole('button', { name: 'Sign In', exact: true })).not.toHaveAttribute('aria-busy', 'true')
  })

test('offline: a banner appears, a rename fails with a network error, and succeeds once online', async ({
  browser,
}) => {
  const chef = await registerMember()
  const team = await createTeam(chef)
  const { page } = await openApp(browser, { as: chef })
  await page.getByLabel('Search teams').fill(team.name)
  await page.getByRole('button', { name: team.name, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: team.name })
  await expect(dialog.getByRole('button', { name: 'Rename' })).toBeVisible()

  await page.context().setOffline(true)
  await expect(page.getByText(OFFLINE_TEXT)).toBeAttached()
  await dialog.getByRole('button', { name: 'Rename' }).click()
  const rename = page.getByRole('dialog', { name: 'Rename Team' })
  const name = `Rif ${word()} ${word()}`
  await rename.getByLabel('Team Name').fill(name)
  await rename.getByRole('button', { name: 'Rename' }).click()
  await expect(rename.getByText(NETWORK_TEXT).first()).toBeVisible()
  await expect(rename.getByLabel('Team Name')).toHaveValue(name)

  await page.context().setOffline(false)
  await expect(page.getByText(OFFLINE_TEXT)).toHaveCount(0)
  // A successful rename reloads the page.
  const reloaded = page.waitForEvent('load')
  await rename.getByRole('button', { name: 'Rename' }).click()
  await reloaded
  await expect(page.getByText('Team Renamed').first()).toBeVisible()
  const { team: renamedTeam } = await callApi<{ team: { name: string } }>(`GET /teams/${team.id}`, chef.token)
  expect(renamedTeam.name).toBe(name)
})

test('offline on a phone: a visitor still sees the teams that were loaded', async ({ browser }) => {
  const chef = await registerMember()
  const team = await createTeam(chef)
  const { page } = await openApp(browser, { viewport: PHONE })
  await page.getByLabel('Search teams').fill(team.name)
  await expect(page.getByRole('button', { name: team.name, exact: true })).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByText(OFFLINE_TEXT)).toBeVisible()
  await expect(page.getByRole('button', { name: team.name, exact: true })).toBeVisible()
})

test('offline, a dialog whose chunk is missing shows an error without reloading the page; online, Try Again opens it', async ({
  browser,
}) => {
  const { page } = await openApp(browser)
  await expect(page.locator('#contact h2').first()).toBeAttached()
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
  await errorAlert.getByRole('button', { name: 'Try Again' }).click()
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
  await language.selectOption('fr')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
})

/** Opens the team wizard as a new member and fills every step, without pressing Create Team. */
async function openFilledWizard(browser: Browser, name: string): Promise<Page> {
  const { page } = await openApp(browser, { as: await registerMember() })
  await page.getByRole('button', { name: 'Create New Team' }).click()
  const wizard = page.getByRole('dialog')
  await wizard.getByLabel('Phone').fill('0612345678')
  await wizard.getByLabel('Experience').selectOption({ index: 2 })
  await wizard.getByRole('button', { name: 'Next' }).click()
  await wizard.getByLabel('Team Name').fill(name)
  await wizard.getByLabel('Description').fill('We build small, useful things and ship them every week.')
  await wizard.getByLabel('Team Experience Level').selectOption('Intermediate')
  await wizard.getByRole('button', { name: 'Next' }).click()
  await wizard.getByLabel('Backend Developer').check()
  return page
}

const countTeamsNamed = async (name: string): Promise<number> =>
  (await callApi<{ teams: unknown[] }>(`GET /teams?search=${encodeURIComponent(name)}`)).teams.length

test('creating a team: a lost response, then a double click and two Enters, create one team', async ({ browser }) => {
  const name = `Zellige ${word()} ${word()}`
  const page = await openFilledWizard(browser, name)
  // The server creates the team, but the response is lost.
  await page.route('**/trpc/teams.create*', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create Team' })
  await create.click()
  await expect(page.locator('.toast').filter({ hasText: 'Team Creation Failed' })).toContainText(NETWORK_TEXT)
  expect(await countTeamsNamed(name)).toBe(1)

  await page.unroute('**/trpc/teams.create*')
  let requestCount = 0
  page.on('request', (request) => void (request.url().includes('/trpc/teams.create') && (requestCount += 1)))
  await create.dblclick()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Team Created!').first()).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(requestCount).toBe(1)
  expect(await countTeamsNamed(name)).toBe(1)
})

test('an unavailable backend at page load: the page renders and says so', async ({ browser }) => {
  const failHealthCheck = (route: Route) => route.fulfill({ status: 503, json: { success: false } })
  const { page } = await openApp(browser, { prepare: (page) => page.route('**/api/health', failHealthCheck) })
  await expect(page.getByRole('alert').filter({ hasText: UNAVAILABLE_TEXT })).toBeVisible()
  await page.unroute('**/api/health')
  await page.getByRole('alert').getByRole('button', { name: 'Try Again' }).first().click()
  await expect(page.getByText(UNAVAILABLE_TEXT)).toHaveCount(0)
})

/** Opens the app with lazy chunks blocked. The app reloads itself once, as a release may have removed old chunks; waits for that. */
async function openWithoutChunks(browser: Browser, chunks: RegExp): Promise<Page> {
  const { page } = await openApp(browser, { prepare: (page) => page.route(chunks, (route) => route.abort()) })
  await page.waitForFunction(() =>
    performance.getEntriesByType('navigation').some((entry) => entry.toJSON().type === 'reload'),
  )
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return page
}

/** All chunks but those of the first load: entry, first screen, runtime, English texts. */
const LAZY_CHUNKS = /\/assets\/(?!index|base|rolldown|en-)[^/]+\.js$/

test('sections and dialogs that do not load say so and leave the rest of the page; Try Again loads them', async ({
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

test('a toaster that failed to load is loaded by the next click', async ({ browser }) => {
  const page = await openWithoutChunks(browser, OVERLAYS_CHUNK)
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/overlays-')),
  )
  await page.unroute(OVERLAYS_CHUNK)
  await expect(page.getByRole('region', { name: 'Notifications' })).toHaveCount(0)
  // The import may reject only after the first click, so click again until it loads.
  await expect(async () => {
    await page.getByRole('heading', { level: 1 }).click()
    await expect(page.getByRole('region', { name: 'Notifications' })).toBeAttached({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })
})

test('a toaster that never loads does not reload the page, and dialogs still open', async ({ browser }) => {
  const page = await openWithoutChunks(browser, OVERLAYS_CHUNK)
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  // From now on, a chunk that fails to load may reload the page again.
  await page.waitForFunction((ms) => performance.now() > ms, RELOAD_ALLOWED_AFTER_MS)
  let failures = 0
  page.on('requestfailed', (request) => {
    if (OVERLAYS_CHUNK.test(request.url())) failures++
  })
  await expect(async () => {
    await page.getByRole('heading', { level: 1 }).click()
    expect(failures).toBeGreaterThan(2)
  }).toPass({ timeout: 20_000 })
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('a visitor whose language fails to load at the start gets English', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: url, locale: 'fr-MA' })
  const page = await context.newPage()
  await page.route(/\/assets\/fr-[^/]+\.js$/, (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Form a team. Take the challenge. Climb the board.')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})
