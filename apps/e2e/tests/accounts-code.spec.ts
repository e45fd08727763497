import { expect, type Page } from '@playwright/test'
import { openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { newestCode } from '../inbox.ts'
import { ADMIN } from '@community/testing/server'
import { callApi, sampledDevices, inboxUrl, openApp, registerMember, signIn, signOut, type TestUser } from './steps.ts'

const dialogOf = (page: Page) => page.getByRole('dialog')

async function openSettings(page: Page, tab: string): Promise<void> {
  await openAccountSettings(page)
  await page.getByRole('tab', { name: tab }).click()
}

/** A member who is asked for a code at every sign-in. */
async function registerWithCode() {
  const person = await registerMember()
  await callApi('PUT /users/profile', person.token, { signInOtp: true })
  return person
}

/** Signs in up to the code; resolves with the time of its request. */
async function startSignIn(page: Page, person: TestUser): Promise<number> {
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('openAuthModal', { detail: { mode: 'login' } })))
  await dialogOf(page).getByRole('button', { name: 'Continue with Email' }).click()
  await dialogOf(page).getByLabel('Email', { exact: true }).fill(person.email)
  await dialogOf(page).getByLabel('Password', { exact: true }).fill(person.password)
  const since = Date.now()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Check Your Email' })).toBeVisible()
  return since
}

for (const { device, viewport } of sampledDevices('code at sign-in'))
  test(`on ${device}: with codes at sign-in turned on, a sign-in requires the mailed code; it can be pasted and submits itself`, async ({
    browser,
  }) => {
    const person = await registerMember()
    const { page, consoleErrors } = await openApp(browser, {
      viewport,
      permissions: ['clipboard-read', 'clipboard-write'],
      as: person,
    })
    await openSettings(page, 'Security')
    const codeSwitch = dialogOf(page).getByRole('switch', { name: 'Require a code at every sign-in' })
    await expect(codeSwitch).not.toBeChecked()
    await codeSwitch.focus()
    await page.keyboard.press('Space')
    await expect(codeSwitch).toBeChecked()
    await expect(page.getByText('Profile updated').first()).toBeVisible()
    // A control operated by keys keeps the focus.
    await expect(codeSwitch).toBeFocused()
    await page.keyboard.press('Escape')
    await signOut(page, person.name)

    const since = await startSignIn(page, person)
    await expect(page.getByText('Verification Code Sent!').first()).toBeVisible()
    const code = await newestCode(inboxUrl, person.email, since)
    const field = dialogOf(page).getByLabel('Verification Code')
    await expect(field).toBeFocused()
    await page.keyboard.type(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
    await expect(page.getByText('Invalid Code').first()).toBeVisible()
    await expect(field).toBeFocused()
    // The form shows the error slightly before it accepts input again. What is typed or submitted in between is lost.
    await expect(field).not.toHaveAttribute('readonly')

    await page.evaluate((text) => navigator.clipboard.writeText(text), `${code.slice(0, 3)} ${code.slice(3)}`)
    await field.selectText()
    await page.keyboard.press('Control+V')
    await expect(page.getByText('Welcome Back!').first()).toBeVisible()
    await expect(dialogOf(page)).toBeHidden()
    expect(consoleErrors).toEqual([])
  })

test('accepts a code in the browser that requested it, after wrong guesses elsewhere', async ({ browser }) => {
  const person = await registerWithCode()
  const { page } = await openApp(browser)
  const since = await startSignIn(page, person)
  const code = await newestCode(inboxUrl, person.email, since)
  const wrongOtp = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const guess = async (otp: string) => {
    const response = await fetch(new URL('/api/auth/verify-otp', page.url()), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, otp }),
    })
    return response.status
  }
  for (let attempt = 0; attempt < 6; attempt++) expect(await guess(wrongOtp)).toBe(400)
  // Without this browser's cookie even the right code is rejected by now.
  expect(await guess(code)).toBe(400)
  await dialogOf(page).getByLabel('Verification Code').fill(code)
  await expect(page.getByText('Welcome Back!').first()).toBeVisible()
  await expect(dialogOf(page)).toBeHidden()
})

test('typing after a wrong code replaces it; Back to Sign In starts over', async ({ browser }) => {
  const person = await registerWithCode()
  const { page } = await openApp(browser)
  const since = await startSignIn(page, person)
  const code = await newestCode(inboxUrl, person.email, since)
  await page.keyboard.type('abc 12')
  const field = dialogOf(page).getByLabel('Verification Code')
  await expect(field).toHaveValue('12')
  await dialogOf(page).getByRole('button', { name: 'Back to Sign In' }).click()
  await expect(dialogOf(page).getByRole('button', { name: 'Continue with Email' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()

  // During the cooldown no new code is mailed: the current one still works.
  await startSignIn(page, person)
  await page.keyboard.type(String((Number(code) + 1) % 1_000_000).padStart(6, '0'))
  await expect(page.getByText('Invalid Code').first()).toBeVisible()
  await expect(field).not.toHaveAttribute('readonly')
  await page.keyboard.type(code)
  await expect(page.getByText('Welcome Back!').first()).toBeVisible()
})

test('a page that is loaded again at the code step opens it again, and the code in the mail works', async ({
  browser,
}) => {
  const person = await registerWithCode()
  const { page } = await openApp(browser)
  const since = await startSignIn(page, person)
  await page.reload()
  await expect(page.getByRole('dialog', { name: 'Check Your Email' })).toBeVisible()
  await dialogOf(page)
    .getByLabel('Verification Code')
    .fill(await newestCode(inboxUrl, person.email, since))
  await expect(page.getByText('Welcome Back!').first()).toBeVisible()
  await expect(dialogOf(page)).toBeHidden()
})

test('an administrator starts in the admin view', async ({ browser }) => {
  const { page } = await openApp(browser)
  await signIn(page, ADMIN)
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await expect(page).toHaveURL(/#admin$/)
})
