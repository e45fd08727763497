import { wrongCode } from '@community/testing'
import { expect, type Page } from '@playwright/test'
import { openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { newestCode } from '../inbox.ts'
import { findChallenge } from './challenge-steps.ts'
import {
  sampledDevices,
  createChallenge,
  createTeam,
  inboxUrl,
  openApp,
  registerMember,
  newTestUser,
  type TestUser,
  randomWord,
  loadIdentityProvider,
} from './steps.ts'
import { findTeam } from './team-steps.ts'

const FAILED = "We couldn't sign you in. Please try again."

test.beforeAll(loadIdentityProvider)

/** Goes from the home page through the provider to the code page; resolves with the time of the code's request. */
async function startExternalSignIn(page: Page, person: TestUser): Promise<number> {
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('openAuthModal', { detail: { mode: 'login' } })))
  return continueWithProvider(page, person)
}

/** The same from the open sign-in dialog. */
async function continueWithProvider(page: Page, person: TestUser): Promise<number> {
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Name (optional)').fill(person.name)
  const since = Date.now()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/auth\/google-otp\?/)
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible()
  return since
}

for (const { device, viewport } of sampledDevices('external sign-in'))
  test(`on ${device}: an external sign-in asks for the mailed code and shows a welcome`, async ({ browser }) => {
    const person = newTestUser('Hicham Alaoui')
    const { page, consoleErrors } = await openApp(browser, { viewport })
    const since = await startExternalSignIn(page, person)
    await expect(page.getByText(person.email)).toBeVisible()
    await expect(page.getByRole('timer')).toHaveText(/^Expires in [45]:\d\d$/)
    const code = await newestCode(inboxUrl, person.email, since)
    const field = page.getByLabel('Verification Code')
    await expect(field).toBeFocused()
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Please enter a 6-digit verification code')).toBeVisible()
    await field.fill(wrongCode(code))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Invalid Code').first()).toBeVisible()
    await expect(field).toBeFocused()
    // The form shows the error slightly before it accepts input again. What is typed or submitted in between is lost.
    await expect(field).not.toHaveAttribute('readonly')
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Welcome!', { exact: true }).first()).toBeVisible()
    await expect(page).toHaveURL(/\/$/)
    expect(await page.evaluate(() => JSON.parse(localStorage.getItem('currentUser') ?? '{}').email)).toBe(person.email)

    // A user without a password must set one before deleting the account.
    await openAccountSettings(page)
    await page.getByRole('tab', { name: 'Security' }).click()
    await expect(page.getByText('Set a password first. You need it to delete your account.')).toBeVisible()
    await page.getByRole('button', { name: 'Set a password' }).click()
    await expect(page.getByRole('dialog', { name: 'Reset Your Password' }).getByLabel('Email')).toHaveValue(
      person.email,
    )
    expect(consoleErrors).toEqual([])
  })

test('after the code expires, Resend Code restarts the sign-in; Back to Login opens the dialog', async ({
  browser,
}) => {
  const person = await registerMember()
  const { page } = await openApp(browser)
  await startExternalSignIn(page, person)
  await page.clock.install()
  await page.reload()
  const resend = page.getByRole('link', { name: 'Resend Code' })
  await expect(page.getByRole('timer')).toHaveText(/^Expires in 4:\d\d$/)
  await expect(resend).toBeHidden()
  await page.clock.fastForward('05:00')
  await expect(page.getByRole('timer')).toHaveText('Code Expired')
  await expect(resend).toHaveAttribute('href', '/auth/google?language=en')
  await resend.click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()

  await page.goto(`/auth/google-otp?email=${encodeURIComponent(person.email)}`)
  await page.getByRole('link', { name: 'Back to Login' }).click()
  await expect(page.getByRole('dialog', { name: 'Welcome to the community' })).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
})

test('a team link opens its team after an external sign-in, once', async ({ browser }) => {
  const team = await createTeam(await registerMember(), `Atlas ${randomWord()} ${randomWord()}`)
  const person = newTestUser('Hicham Alaoui')
  const { page } = await openApp(browser)
  await findTeam(page, team.name, (text) => text)
  const since = await continueWithProvider(page, person)
  await page.getByLabel('Verification Code').fill(await newestCode(inboxUrl, person.email, since))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: team.name })
  await expect(dialog).toBeVisible()
  await page.reload()
  await expect(page.locator('#teams').getByRole('article').first()).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('an application continues after an external sign-in, where it began', async ({ browser }) => {
  const chef = await registerMember()
  const [, challenge] = [await createTeam(chef), await createChallenge()]
  const { page } = await openApp(browser, { at: '/#challenges' })
  const card = await findChallenge(page, challenge.title, (text) => text)
  // Far from the end of the teams, which may still load above it.
  await card.evaluate((element) => element.scrollIntoView())
  await card.getByRole('button', { name: `Apply to ${challenge.title}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign In' }).click()
  const since = await continueWithProvider(page, chef)
  await page.getByLabel('Verification Code').fill(await newestCode(inboxUrl, chef.email, since))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Apply to Challenge' }).getByText(challenge.title)).toBeVisible()
  await expect(page).toHaveURL(/#challenges$/)
})

test('a linked challenge is shown again after a sign-in that failed, and after one that did not', async ({
  browser,
}) => {
  const { id } = await createChallenge()
  const person = newTestUser('Hicham Alaoui')
  const { page } = await openApp(browser, { at: `/#challenge-${id}` })
  const card = page.locator(`#challenge-${id}`)
  const linked = new RegExp(`/#challenge-${id}$`)
  await expect(card).toBeInViewport()
  // Somebody else: the code of a second attempt is not mailed at once.
  await startExternalSignIn(page, newTestUser('Salma Berrada'))
  await page.goto('/auth/google/callback?state=forged&code=stolen')
  await expect(page.getByText(FAILED).first()).toBeVisible()
  await expect(page).toHaveURL(linked)
  await expect(card).toBeInViewport()

  const since = await startExternalSignIn(page, person)
  await page.getByLabel('Verification Code').fill(await newestCode(inboxUrl, person.email, since))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(linked)
  await expect(card).toBeInViewport()
})

test('a code page without an email redirects to the home page', async ({ browser }) => {
  const { page } = await openApp(browser)
  await page.goto('/auth/google-otp')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('rejects a forged state, and a code entered in another browser', async ({ browser }) => {
  const person = newTestUser('Salma Berrada')
  const { page } = await openApp(browser)
  const since = await startExternalSignIn(page, person)
  const code = await newestCode(inboxUrl, person.email, since)
  const otherBrowser = await openApp(browser)
  await otherBrowser.page.goto(`/auth/google-otp?email=${encodeURIComponent(person.email)}&name=x`)
  await otherBrowser.page.getByLabel('Verification Code').fill(code)
  await otherBrowser.page.keyboard.press('Enter')
  await expect(otherBrowser.page.getByText('Invalid Code').first()).toBeVisible()

  // The state is not that of the sign-in started here.
  await page.goto('/auth/google')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.goto('/auth/google/callback?state=forged&code=stolen')
  await expect(page.getByText(FAILED).first()).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('currentUser'))).toBeNull()
})
