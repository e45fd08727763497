import { sampledForTier } from '@community/testing'
import { type Browser, expect, type Page, type Route } from '@playwright/test'
import { test } from '../test.ts'
import { callApi, openApp, registerMember, randomWord } from './steps.ts'

const TIMEOUT_TEXT = 'Request timeout - please check your connection and try again'
const NETWORK_TEXT = 'Network error - please check your internet connection and ensure the backend server is running'
const UNAVAILABLE_TEXT = 'The service is unavailable right now. Please try again.'
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

interface RequestFailure {
  name: string
  respond: (route: Route) => unknown
  /** What a section shows when its query fails. */
  queryError: string
  /** When a sign-in fails: the toast's title, and the message in both toast and form. */
  signInError: [title: string, message: string]
  neverResponds?: boolean
}

/** Just longer than `REQUEST_TIMEOUT_MS` of the contract. */
const PAST_CLIENT_TIMEOUT_MS = 10_500
const SIGN_IN_FAILED_TEXT = "We couldn't sign you in. Please try again."

// Unit tests: lib/transport.test.ts classifies responses, features/auth/failure-texts.test.ts chooses the messages.
const REQUEST_FAILURES: readonly RequestFailure[] = [
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
    neverResponds: true,
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

/** Opens the app with a failure. `passClientTimeout` advances the fake clock past the client's timeout if the failure never responds. */
async function openWithFailure(
  browser: Browser,
  { respond, neverResponds }: RequestFailure,
): Promise<{ page: Page; passClientTimeout: () => Promise<void> }> {
  const prepare = async (page: Page) => {
    if (neverResponds) await page.clock.install()
    await page.route('**/trpc/**', respond)
  }
  const { page } = await openApp(browser, { prepare })
  return {
    page,
    passClientTimeout: async () => void (neverResponds && (await page.clock.runFor(PAST_CLIENT_TIMEOUT_MS))),
  }
}

for (const failure of sampledForTier(REQUEST_FAILURES, 2, 'queries'))
  test(`a query fails (${failure.name}): the section shows why, the header stays, Try Again loads the teams`, async ({
    browser,
  }) => {
    const { page, passClientTimeout } = await openWithFailure(browser, failure)
    await page.locator('#teams').scrollIntoViewIfNeeded()
    await expect(page.locator('#teams h2')).toBeVisible()
    await passClientTimeout()
    const alert = page.locator('#teams').getByRole('alert')
    await expect(alert).toContainText('Failed to load teams', { timeout: 20_000 })
    await expect(alert).toContainText(failure.queryError)
    await expect(page.getByRole('banner')).toBeVisible()
    await page.unroute('**/trpc/**')
    await alert.getByRole('button', { name: 'Try Again' }).click()
    await expect(page.locator('#teams').getByRole('alert')).toHaveCount(0)
    await expect(page.locator('#teams').getByText(/teams? found/i)).toBeVisible()
  })

for (const failure of sampledForTier(REQUEST_FAILURES, 2, 'sign-in'))
  test(`a sign-in fails (${failure.name}): form and toast show why, the fields keep their values`, async ({
    browser,
  }) => {
    const { page, passClientTimeout } = await openWithFailure(browser, failure)
    await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Continue with Email' }).click()
    await dialog.getByLabel('Email', { exact: true }).fill('sara@example.ma')
    await dialog.getByLabel('Password', { exact: true }).fill('Zellige2026')
    await dialog.getByRole('button', { name: 'Sign In', exact: true }).click()
    await passClientTimeout()
    const [title, message] = failure.signInError
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

/** Opens the team wizard as a new member and fills every step, without pressing Create Team. */
async function openFilledWizard(browser: Browser, name: string): Promise<Page> {
  const { page } = await openApp(browser, { as: await registerMember() })
  await page.getByRole('button', { name: 'Create New Team' }).click()
  const wizard = page.getByRole('dialog')
  await wizard.getByLabel('Phone').fill('0612345678')
  await wizard.getByLabel('Experience').selectOption({ index: 2 })
  await wizard.getByRole('button', { name: 'Next' }).click()
  await wizard.getByLabel('Team name').fill(name)
  await wizard.getByLabel('Description').fill('We build small, useful things and ship them every week.')
  await wizard.getByLabel('Team experience level').selectOption('Intermediate')
  await wizard.getByRole('button', { name: 'Next' }).click()
  await wizard.getByLabel('Backend Developer').check()
  return page
}

const countTeamsNamed = async (name: string): Promise<number> =>
  (await callApi<{ teams: unknown[] }>(`GET /teams?search=${encodeURIComponent(name)}`)).teams.length

test('creating a team: a lost response, then a double click and two Enters, create one team', async ({ browser }) => {
  const name = `Zellige ${randomWord()} ${randomWord()}`
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

test('a backend that is unavailable at page load: the page renders and shows a message', async ({ browser }) => {
  const failHealthCheck = (route: Route) => route.fulfill({ status: 503, json: { success: false } })
  const { page } = await openApp(browser, { prepare: (newPage) => newPage.route('**/api/health', failHealthCheck) })
  await expect(page.getByRole('alert').filter({ hasText: UNAVAILABLE_TEXT })).toBeVisible()
  await page.unroute('**/api/health')
  await page.getByRole('alert').getByRole('button', { name: 'Try Again' }).first().click()
  await expect(page.getByText(UNAVAILABLE_TEXT)).toHaveCount(0)
})
