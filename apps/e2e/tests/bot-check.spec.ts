import { expect, type Page } from '@playwright/test'
import { newestCode } from '../inbox.ts'
import { type RunningServer, startStandaloneServer } from '@community/testing/server'
import { test } from '../test.ts'
import { holdRequests, openApp, newTestUser, type TestUser } from './steps.ts'

const CHECKING = 'Checking that you are not a bot…'
/** Computing the proof takes several seconds while other tests use the cores. */
const PROOF_TIMEOUT = { timeout: 30_000 }
const NARROW = { width: 360, height: 740 }

// One server for all tests of this file.
test.describe.configure({ mode: 'default' })
let server: RunningServer
test.beforeAll(async () => {
  server = await startStandaloneServer({ PROOF_OF_WORK: 'always' })
})
test.afterAll(() => server.stop())

/** Fills in the registration by keyboard. */
async function typeRegistration(page: Page, person: TestUser): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('openAuthModal', { detail: { mode: 'register' } })))
  await page.getByRole('dialog').getByRole('button', { name: 'Continue with Email' }).press('Enter')
  await expect(page.getByLabel('Full Name')).toBeVisible()
  await page.getByLabel('Full Name').focus()
  for (const text of [person.name, person.email]) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.getByLabel('Password', { exact: true }).focus()
  await page.keyboard.type(person.password)
  await page.getByLabel('Confirm Password').focus()
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
}

test('registration and password reset compute their proof of work automatically and show it', async ({ browser }) => {
  const person = newTestUser()
  const { page, consoleErrors } = await openApp(browser, { baseURL: server.url, viewport: NARROW })
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/trpc/auth.register')) statuses.push(response.status())
  })
  const release = await holdRequests(page, '**/trpc/auth.proofOfWork*')
  await typeRegistration(page, person)
  await expect(page.getByRole('status').filter({ hasText: CHECKING })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(NARROW.width)
  release()
  await expect(page.getByRole('dialog', { name: 'Check Your Email' })).toBeVisible(PROOF_TIMEOUT)
  await expect(page.getByText(CHECKING)).toBeHidden()
  expect(statuses).toEqual([428, 200])
  await page.keyboard.type(await newestCode(server.inboxUrl, person.email))
  await expect(page.getByText('Welcome to the community!').first()).toBeVisible()

  const { page: other, consoleErrors: otherErrors } = await openApp(browser, { baseURL: server.url })
  await other.evaluate(() => window.dispatchEvent(new CustomEvent('openAuthModal', { detail: { mode: 'login' } })))
  await other.getByRole('dialog').getByRole('button', { name: 'Continue with Email' }).click()
  await other.getByRole('button', { name: 'Forgot your password?' }).click()
  await other.getByLabel('Email').fill(person.email)
  const since = Date.now()
  await other.keyboard.press('Enter')
  await expect(other.getByLabel('Verification Code')).toBeVisible(PROOF_TIMEOUT)
  await newestCode(server.inboxUrl, person.email, since)
  expect([...consoleErrors, ...otherErrors]).toEqual([])
})

test('a failed proof of work shows an error, and the next press starts another', async ({ browser }) => {
  const { page } = await openApp(browser, { baseURL: server.url })
  await page.route('**/assets/worker-pbkdf2-*.js', (route) => route.abort())
  await typeRegistration(page, newTestUser())
  await expect(
    page
      .getByRole('tabpanel')
      .getByRole('alert')
      .getByText("We couldn't finish the automatic check for bots. Please try again."),
  ).toBeVisible()
  await page.unroute('**/assets/worker-pbkdf2-*.js')
  await page.getByRole('button', { name: 'Create Account' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Check Your Email' })).toBeVisible(PROOF_TIMEOUT)
})
