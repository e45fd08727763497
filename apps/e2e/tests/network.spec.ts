import { sampledForTier } from '@community/testing'
import { type Browser, expect, type Page, type Route } from '@playwright/test'
import { test } from '../test.ts'
import { callApi, createTeam, openApp, PHONE, registerMember, url, word } from './steps.ts'

const TIMEOUT = 'Request timeout - please check your connection and try again'
const NETWORK = 'Network error - please check your internet connection and ensure the backend server is running'
const OFFLINE = 'You are offline. What is loaded stays readable; changes have to wait.'
const UNAVAILABLE = 'The service is unavailable right now. Please try again.'

const html = { contentType: 'text/html', body: '<!doctype html><title>Bad gateway</title><h1>502</h1>' }
const refusal = {
  error: {
    message: UNAVAILABLE,
    code: -32_603,
    data: { httpStatus: 503, failure: { success: false, message: UNAVAILABLE, code: 'UNAVAILABLE', errors: [] } },
  },
}
/** As many answers as the batch asked for. */
const refuseAll = (route: Route) => {
  const { pathname, searchParams } = new URL(route.request().url())
  const count = decodeURIComponent(pathname).split(',').length
  const body = searchParams.has('batch') ? Array.from({ length: count }, () => refusal) : refusal
  return route.fulfill({ status: 503, json: body })
}

interface Fault {
  name: string
  answer: (route: Route) => unknown
  /** What a section shows when its query fails. */
  queryError: string
  /** The toast's title, and the text in the form, when a sign-in fails. */
  signInError: [title: string, words: string]
  neverAnswers?: boolean
}

/** Longer than the client waits for an answer. */
const CLIENT_TIMEOUT_MS = 10_500
/** Longer than the app waits before it would reload once more for a missing chunk (`ONCE_IN_MS` in main.tsx). */
const NEXT_RELOAD_MS = 10_500
const COULD_NOT = "We couldn't sign you in. Please try again."

// Each is told apart in apps/web/src/lib/transport.test.ts, its words chosen in features/auth/failure-texts.test.ts.
const FAULTS: readonly Fault[] = [
  { name: 'cut', answer: (route) => route.abort(), queryError: NETWORK, signInError: ['Connection Error', NETWORK] },
  {
    name: 'slow',
    answer: () => undefined,
    queryError: TIMEOUT,
    signInError: ['Timeout Error', TIMEOUT],
    neverAnswers: true,
  },
  { name: 'unavailable', answer: refuseAll, queryError: UNAVAILABLE, signInError: ['Login failed', COULD_NOT] },
  {
    name: 'a 500 with a page',
    answer: (route) => route.fulfill({ status: 500, ...html }),
    queryError: 'HTTP 500',
    signInError: ['Login failed', COULD_NOT],
  },
  {
    name: 'a page in place of JSON',
    answer: (route) => route.fulfill({ status: 200, ...html }),
    queryError: 'Invalid response format',
    signInError: ['Login failed', COULD_NOT],
  },
  {
    name: 'half an answer',
    answer: (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '[{"result":{"da' }),
    queryError: 'Invalid response format',
    signInError: ['Login failed', COULD_NOT],
  },
  {
    name: 'nothing in it',
    answer: (route) => route.fulfill({ status: 200, body: '' }),
    queryError: 'Invalid response format',
    signInError: ['Login failed', COULD_NOT],
  },
  {
    name: 'words of a gateway',
    answer: (route) => route.fulfill({ status: 504, contentType: 'text/plain', body: 'Upstream is asleep' }),
    queryError: 'Upstream is asleep',
    signInError: ['Login failed', COULD_NOT],
  },
]

/** Opens the app with a fault. `timeOut` lets a request that is never answered reach the client's timeout, on a fake clock. */
async function openWith(
  browser: Browser,
  { answer, neverAnswers }: Fault,
): Promise<{ page: Page; timeOut: () => Promise<void> }> {
  const prepare = async (page: Page) => {
    if (neverAnswers) await page.clock.install()
    await page.route('**/trpc/**', answer)
  }
  const { page } = await openApp(browser, { prepare })
  return { page, timeOut: async () => void (neverAnswers && (await page.clock.runFor(CLIENT_TIMEOUT_MS))) }
}

for (const fault of sampledForTier(FAULTS, 2, 'reading'))
  test(`reading, ${fault.name}: the section says so, the page stays, and Try Again brings it`, async ({ browser }) => {
    const { page, timeOut } = await openWith(browser, fault)
    await page.locator('#teams').scrollIntoViewIfNeeded()
    await expect(page.locator('#teams h2')).toBeVisible()
    await timeOut()
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
  test(`writing, ${fault.name}: the reason stands in place and in a toast, what was typed stays`, async ({
    browser,
  }) => {
    const { page, timeOut } = await openWith(browser, fault)
    await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Continue with Email' }).click()
    await dialog.getByLabel('Email', { exact: true }).fill('sara@example.ma')
    await dialog.getByLabel('Password', { exact: true }).fill('Zellige2026')
    await dialog.getByRole('button', { name: 'Sign In', exact: true }).click()
    await timeOut()
    const [title, words] = fault.signInError
    const toast = page.locator('.toast').filter({ hasText: title })
    await expect(toast).toContainText(words)
    await expect(
      dialog
        .getByRole('alert')
        .filter({ hasNot: page.locator('.toast') })
        .first(),
    ).toContainText(words)
    await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue('sara@example.ma')
    await expect(dialog.getByRole('button', { name: 'Sign In', exact: true })).not.toHaveAttribute('aria-busy', 'true')
  })

test('offline: a banner says so, what is loaded stays, a write is refused with the reason, and goes through later', async ({
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
  await expect(page.getByText(OFFLINE)).toBeAttached()
  await dialog.getByRole('button', { name: 'Rename' }).click()
  const rename = page.getByRole('dialog', { name: 'Rename Team' })
  const name = `Rif ${word()} ${word()}`
  await rename.getByLabel('Team Name').fill(name)
  await rename.getByRole('button', { name: 'Rename' }).click()
  await expect(rename.getByText(NETWORK).first()).toBeVisible()
  await expect(rename.getByLabel('Team Name')).toHaveValue(name)

  await page.context().setOffline(false)
  await expect(page.getByText(OFFLINE)).toHaveCount(0)
  const reloaded = page.waitForEvent('load')
  await rename.getByRole('button', { name: 'Rename' }).click()
  await reloaded
  await expect(page.getByText('Team Renamed').first()).toBeVisible()
  const { team: after } = await callApi<{ team: { name: string } }>(`GET /teams/${team.id}`, chef.token)
  expect(after.name).toBe(name)
})

test('offline, the page that was read stays readable', async ({ browser }) => {
  const chef = await registerMember()
  const team = await createTeam(chef)
  const { page } = await openApp(browser, { viewport: PHONE })
  await page.getByLabel('Search teams').fill(team.name)
  await expect(page.getByRole('button', { name: team.name, exact: true })).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByText(OFFLINE)).toBeVisible()
  await expect(page.getByRole('button', { name: team.name, exact: true })).toBeVisible()
})

test('offline, a part that is not there yet leaves the page as it is; back online, Try Again opens it', async ({
  browser,
}) => {
  const { page } = await openApp(browser)
  await expect(page.locator('#contact h2').first()).toBeAttached()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.context().setOffline(true)
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  const over = page.getByRole('alert').filter({ hasText: 'This part of the page stopped working' })
  await expect(over).toBeInViewport()
  const asked = page.waitForEvent('requestfailed')
  await over.getByRole('button', { name: 'Try Again' }).click()
  await asked
  await expect(over).toBeInViewport()
  await page.context().setOffline(false)
  await over.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('dialog', { name: 'Welcome to the community' })).toBeVisible()
  await expect(over).toHaveCount(0)
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('a language that does not load is shown as failed, and loads with the next try', async ({ browser }) => {
  const { page } = await openApp(browser)
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

/** Opens the wizard of a new member and fills it up to its last button. */
async function fillWizard(browser: Browser, name: string): Promise<Page> {
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

test('an answer that was lost, then a double click and Enter pressed twice: one team is made', async ({ browser }) => {
  const name = `Zellige ${word()} ${word()}`
  const page = await fillWizard(browser, name)
  // The server does it; its answer never comes.
  await page.route('**/trpc/teams.create*', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const create = page.getByRole('dialog').getByRole('button', { name: 'Create Team' })
  await create.click()
  await expect(page.locator('.toast').filter({ hasText: 'Team Creation Failed' })).toContainText(NETWORK)
  expect(await countTeamsNamed(name)).toBe(1)

  await page.unroute('**/trpc/teams.create*')
  let sent = 0
  page.on('request', (request) => void (request.url().includes('/trpc/teams.create') && (sent += 1)))
  await create.dblclick()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Team Created!').first()).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(sent).toBe(1)
  expect(await countTeamsNamed(name)).toBe(1)
})

test('a backend that is away at the start: the page is there, and says it', async ({ browser }) => {
  const away = (route: Route) => route.fulfill({ status: 503, json: { success: false } })
  const { page } = await openApp(browser, { prepare: (page) => page.route('**/api/health', away) })
  await expect(page.getByRole('alert').filter({ hasText: UNAVAILABLE })).toBeVisible()
  await page.unroute('**/api/health')
  await page.getByRole('alert').getByRole('button', { name: 'Try Again' }).first().click()
  await expect(page.getByText(UNAVAILABLE)).toHaveCount(0)
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

const LAZY_CHUNKS = /\/assets\/(?!index|base|rolldown|en-)[^/]+\.js$/

test('sections and dialogs that do not load say so and leave the rest of the page; Try Again loads them', async ({
  browser,
}) => {
  const page = await openWithoutChunks(browser, LAZY_CHUNKS)
  const stopped = 'This part of the page stopped working'
  await expect(page.locator('#teams').getByText(stopped)).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  const over = page.getByRole('alert').filter({ hasText: stopped }).last()
  await expect(over).toBeInViewport()
  await expect(over.getByRole('button', { name: 'Try Again' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.unroute(LAZY_CHUNKS)
  // One press brings all of them.
  await page.locator('#teams').getByRole('button', { name: 'Try Again' }).click()
  await expect(page.locator('#teams h2')).toBeVisible()
  await expect(page.getByText(stopped)).toHaveCount(0)
  await expect(page.getByRole('dialog', { name: 'Welcome to the community' })).toBeVisible()
})

test('toasts and questions that do not load come with the next click', async ({ browser }) => {
  const overlays = /\/assets\/overlays-[^/]+\.js$/
  const page = await openWithoutChunks(browser, overlays)
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/overlays-')),
  )
  await page.unroute(overlays)
  await expect(page.getByRole('region', { name: 'Notifications' })).toHaveCount(0)
  // The page may hear of the failure only after the first click.
  await expect(async () => {
    await page.getByRole('heading', { level: 1 }).click()
    await expect(page.getByRole('region', { name: 'Notifications' })).toBeAttached({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })
})

test('a page whose toasts never load stays as it is, whatever is pressed', async ({ browser }) => {
  const overlays = /\/assets\/overlays-[^/]+\.js$/
  const page = await openWithoutChunks(browser, overlays)
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  // From now on another chunk that fails could reload the page.
  await page.waitForFunction((ms) => performance.now() > ms, NEXT_RELOAD_MS)
  let failures = 0
  page.on('requestfailed', (request) => {
    if (overlays.test(request.url())) failures++
  })
  await expect(async () => {
    await page.getByRole('heading', { level: 1 }).click()
    expect(failures).toBeGreaterThan(2)
  }).toPass({ timeout: 20_000 })
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('texts of a language that do not load leave the page in English', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: url, locale: 'fr-MA' })
  const page = await context.newPage()
  await page.route(/\/assets\/fr-[^/]+\.js$/, (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Form a team. Take the challenge. Climb the board.')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})
