import { type BrowserContext, expect, type Page } from '@playwright/test'
import { openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { callApi, openApp, registerMember, signIn, signOut } from './steps.ts'

const expectSignedOut = (page: Page) =>
  expect(page.getByRole('banner').getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
const expectSignedIn = (page: Page, name: string) =>
  expect(page.getByRole('button', { name: `Account of ${name}` })).toBeVisible()

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return page
}

async function openDevices(page: Page): Promise<void> {
  await openAccountSettings(page)
  await page.getByRole('tab', { name: 'Devices' }).click()
}

test('a device signed out from another device is signed out at its next request, with a message', async ({
  browser,
}) => {
  const person = await registerMember()
  const desk = await openApp(browser, { as: person })
  const phone = await openApp(browser, {
    // Without the stream, whose end would sign the page out at once.
    prepare: (page) => page.route('**/api/events', (route) => route.abort()),
    userAgent: 'Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0',
  })
  await signIn(phone.page, person)

  await openDevices(desk.page)
  const dialog = desk.page.getByRole('dialog')
  await expect(dialog.getByText('This device')).toHaveCount(1)
  const signOutPhone = dialog.getByRole('button', { name: 'Sign out Firefox on Android' })
  await signOutPhone.focus()
  await desk.page.keyboard.press('Enter')
  await expect(desk.page.getByText('Device signed out').first()).toBeVisible()
  await expect(dialog.getByText('Firefox on Android')).toBeHidden()
  // The pressed button is gone: the focus stays in the dialog.
  await expect
    .poll(() => desk.page.evaluate(() => Boolean(document.activeElement?.closest('[role=dialog]'))))
    .toBe(true)
  expect(await desk.page.evaluate(() => document.activeElement?.getAttribute('role'))).not.toBe('dialog')

  await openDevices(phone.page)
  await expectSignedOut(phone.page)
  await expect(phone.page.getByText('Your session has ended. Please sign in again.').first()).toBeVisible()
  await expect(phone.page.getByRole('dialog')).toBeHidden()
  await expect(dialog.getByText('This device')).toBeVisible()

  // The session of `registerMember` still counts as another device.
  await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(desk.page.getByText('Signed out everywhere else').first()).toBeVisible()
  await expect(callApi('GET /users/profile', person.token)).rejects.toThrow()
  await desk.page.keyboard.press('Escape')
  await expectSignedIn(desk.page, person.name)
})

test('a sign-out or sign-in in one tab applies to the other tab', async ({ browser }) => {
  const person = await registerMember()
  const { page, consoleErrors } = await openApp(browser, { as: person })
  const other = await openTab(page.context())
  await expectSignedIn(other, person.name)
  await openAccountSettings(other)

  await signOut(page, person.name)
  await expectSignedOut(other)
  await signIn(page, person)
  await expectSignedIn(other, person.name)
  // The dialog of the user who left does not open for the next user.
  await expect(other.getByRole('dialog')).toBeHidden()
  expect(consoleErrors).toEqual([])
})

test('several tabs refresh an expired token with a single request', async ({ browser }) => {
  const person = await registerMember()
  const { page } = await openApp(browser, { as: person })
  const context = page.context()
  const tabs = [page, await openTab(context), await openTab(context)]
  const refreshes: number[] = []
  context.on('response', (response) => {
    if (response.url().endsWith('/api/auth/refresh')) refreshes.push(response.status())
  })
  const before = await page.evaluate(() => localStorage.getItem('authToken'))
  // First leaves the app for a JSON page of the same origin: a tab that still runs it could start a refresh and be navigated away
  // before it has stored the new token.
  const reopenTabsWithStored = async (key: string, value: string) => {
    await Promise.all(tabs.map((tab) => tab.goto('/api/health')))
    await page.evaluate((item) => localStorage.setItem(item.key, item.value), { key, value })
    await Promise.all(tabs.map((tab) => tab.goto('/')))
  }
  await reopenTabsWithStored('authTokenFreshUntil', '1')
  for (const tab of tabs) await expectSignedIn(tab, person.name)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('authToken'))).not.toBe(before)

  // A single refresh too when the server reports the token as expired.
  await reopenTabsWithStored('authToken', 'spent-spent-spent-spent')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('authToken'))).not.toBe('spent-spent-spent-spent')
  for (const tab of tabs) await expectSignedIn(tab, person.name)
  for (const tab of tabs) await expect(tab.locator('[aria-busy=true]')).toHaveCount(0)
  expect(refreshes).toEqual([200, 200])
})

test('a stored session that the server rejects is removed', async ({ browser }) => {
  const person = await registerMember()
  const { page } = await openApp(browser, { as: person })
  await page.evaluate(() => {
    localStorage.setItem('authToken', 'nobody-knows-this-token-at-all')
    localStorage.setItem('refreshToken', 'nor-this-one-that-should-refresh-it')
  })
  await page.reload()
  await expectSignedOut(page)
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /^auth|^refresh/.test(key)))).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('currentUser'))).toBeNull()
})

const failure = { success: false, code: 'UNAVAILABLE', message: 'The service is unavailable right now.' }
const error = { error: { message: 'away', code: -32603, data: { httpStatus: 503, failure } } }

/** Responds to the page's requests with 503. */
const respondUnavailable = (page: Page, requests = /\/trpc\//) =>
  page.route(requests, (route) => {
    const procedureCount = new URL(route.request().url()).pathname.split(',').length
    return route.fulfill({ status: 503, json: Array.from({ length: procedureCount }, () => error) })
  })

test('a stored session is removed if the first request fails with a server error', async ({ browser }) => {
  const person = await registerMember()
  const { page } = await openApp(browser, { as: person })
  await respondUnavailable(page)
  await page.reload()
  await expectSignedOut(page)
  const reason = 'The service had a problem, so you were signed out. Please sign in again.'
  await expect(page.getByText(reason).first()).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('currentUser'))).toBeNull()
})

test('a stored session is kept while the server cannot be reached, and if only later requests fail', async ({
  browser,
}) => {
  const person = await registerMember()
  const { page } = await openApp(browser, { as: person })
  let requestCount = 0
  // The live stream too: when it opens, failed requests are sent again.
  const backend = /\/(trpc|api)\//
  await page.route(backend, (route) => {
    if (route.request().url().includes('users.profile')) requestCount += 1
    return route.abort()
  })
  await page.reload()
  // The request is tried three times.
  await expect.poll(() => requestCount).toBe(3)
  await expectSignedIn(page, person.name)
  expect(await page.evaluate(() => localStorage.getItem('currentUser'))).not.toBeNull()

  await page.unroute(backend)
  const profile = page.waitForResponse(/users\.profile/)
  // Before the page loads: it asks for the dashboard's data as soon as it has the profile.
  await respondUnavailable(page, /\/trpc\/(?!users\.profile\b)/)
  await page.reload()
  await profile
  await expectSignedIn(page, person.name)
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToDashboard')))
  await expect(page.getByText('Failed to load dashboard data').first()).toBeVisible()
  await expectSignedIn(page, person.name)
})
