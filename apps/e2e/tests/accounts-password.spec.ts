import { wrongCode } from '@community/testing'
import { expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { newestCode } from '../inbox.ts'
import { sampledDevices, callApi, inboxUrl, openApp, registerMember } from './steps.ts'

const NEW_PASSWORD = 'Bouregreg2026'
const RESET_DONE = 'Password reset successfully! You can now log in with your new password.'
const WRONG_CODE = 'The verification code you entered is incorrect. Please check and try again.'

const dialogOf = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true })

async function openSignInForm(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('openAuthModal', { detail: { mode: 'login' } })))
  await button(page, 'Continue with Email').click()
}

for (const { device, viewport } of sampledDevices('forgotten password'))
  test(`on ${device}: a forgotten password is replaced with the mailed code, and every session ends`, async ({
    browser,
  }) => {
    const person = await registerMember()
    const { page, consoleErrors } = await openApp(browser, { viewport })
    await openSignInForm(page)
    await dialogOf(page).getByLabel('Email', { exact: true }).fill(person.email)
    await button(page, 'Forgot your password?').click()
    const email = dialogOf(page).getByLabel('Email', { exact: true })
    await expect(email).toHaveValue(person.email)
    await expect(email).toBeFocused()
    const since = Date.now()
    await button(page, 'Send Code').click()
    await expect(page.getByText('Verification Code Sent!').first()).toBeVisible()
    const code = await newestCode(inboxUrl, person.email, since)

    const field = dialogOf(page).getByLabel('Verification Code')
    const reset = button(page, 'Reset Password')
    await expect(field).toBeFocused()
    await expect(reset).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.type(wrongCode(code))
    await expect(dialogOf(page).getByLabel('New Password', { exact: true })).toBeFocused()
    await page.keyboard.type(NEW_PASSWORD)
    await dialogOf(page).getByLabel('Confirm New Password').fill(`${NEW_PASSWORD}x`)
    await reset.click()
    await expect(dialogOf(page).getByText('Passwords do not match')).toBeVisible()
    await expect(dialogOf(page).getByLabel('Confirm New Password')).toBeFocused()
    await dialogOf(page).getByLabel('Confirm New Password').fill(NEW_PASSWORD)
    await reset.click()
    await expect(dialogOf(page).getByText(WRONG_CODE).first()).toBeVisible()
    await expect(page.getByText('Invalid Code').first()).toBeVisible()
    // Further typing replaces the wrong code.
    await expect(field).toBeFocused()
    // The form shows the error slightly before it accepts input again. What is typed or submitted in between is lost.
    await expect(field).not.toHaveAttribute('readonly')
    await page.keyboard.type(code)
    await expect(field).toHaveValue(code)
    await reset.click()
    await expect(dialogOf(page).getByText(RESET_DONE).first()).toBeVisible()

    await expect(callApi('GET /users/profile', person.token)).rejects.toThrow()

    const back = button(page, 'Back to Login')
    await expect(back).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialogOf(page).getByLabel('Password', { exact: true })).toBeFocused()
    await page.keyboard.type(person.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Login failed').first()).toBeVisible()
    await expect(dialogOf(page).locator('[aria-busy=true]')).toHaveCount(0)
    await dialogOf(page).getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Welcome Back!').first()).toBeVisible()
    await expect(dialogOf(page)).toBeHidden()
    expect(consoleErrors).toEqual([])
  })

test('the cooldown of the code is shown in minutes, and the server’s own one replaces it', async ({ browser }) => {
  const person = await registerMember()
  const { page } = await openApp(browser)
  await openSignInForm(page)
  await button(page, 'Forgot your password?').click()
  await dialogOf(page).getByLabel('Email', { exact: true }).fill(person.email)
  await page.clock.install()
  await button(page, 'Send Code').click()
  await expect(button(page, 'Resend Code in 4 minutes')).toHaveAttribute('aria-disabled', 'true')
  await page.clock.fastForward('01:05')
  await expect(button(page, 'Resend Code in 3 minutes')).toBeVisible()
  await page.clock.fastForward('02:00')
  await expect(button(page, 'Resend Code in 1 minute')).toBeVisible()
  await page.clock.fastForward('01:00')
  // This browser's clock ran ahead: the server still has its own four minutes.
  await button(page, 'Resend Code').click()
  await expect(page.getByText('Unable to Resend Code').first()).toBeVisible()
  await expect(button(page, 'Resend Code in 4 minutes')).toBeVisible()

  await button(page, 'Back to Email').click()
  await expect(dialogOf(page).getByLabel('Email', { exact: true })).toHaveValue(person.email)
})

test('a password can be shown while it is typed', async ({ browser }) => {
  const { page } = await openApp(browser)
  await openSignInForm(page)
  const password = dialogOf(page).getByLabel('Password', { exact: true })
  const showPassword = button(page, 'Show password')
  await password.fill('Zellige2026')
  await expect(password).toHaveAttribute('type', 'password')
  await showPassword.click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(showPassword).toHaveAttribute('aria-pressed', 'true')
  await expect(password).toHaveValue('Zellige2026')
  await showPassword.click()
  await expect(password).toHaveAttribute('type', 'password')
})

test('changing the password signs out everywhere, shows a message, and asks to sign in again', async ({ browser }) => {
  const person = await registerMember()
  const { page, consoleErrors } = await openApp(browser, { as: person })
  await page.getByRole('button', { name: `Account of ${person.name}` }).click()
  await page.getByRole('menuitem', { name: 'Account settings' }).click()
  await page.getByRole('tab', { name: 'Security' }).click()

  const current = dialogOf(page).getByLabel('Current Password')
  await current.fill('Wrong-2026')
  await dialogOf(page).getByLabel('New Password', { exact: true }).fill(NEW_PASSWORD)
  await dialogOf(page).getByLabel('Confirm New Password').fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(dialogOf(page).getByText('The current password is incorrect.').first()).toBeVisible()
  await expect(current).toBeFocused()
  // The form shows the error slightly before it accepts input again. What is typed or submitted in between is lost.
  await expect(dialogOf(page).locator('[aria-busy=true]')).toHaveCount(0)
  await current.fill(person.password)
  await page.keyboard.press('Enter')

  await expect(page.getByText('Password changed. Please sign in again.').first()).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Welcome to the community' })).toBeVisible()
  await button(page, 'Continue with Email').click()
  await dialogOf(page).getByLabel('Email', { exact: true }).fill(person.email)
  await dialogOf(page).getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Account of ${person.name}` })).toBeVisible()

  await expect(callApi('GET /users/profile', person.token)).rejects.toThrow()
  await expect(
    callApi('POST /auth/login', undefined, { email: person.email, password: person.password }),
  ).rejects.toThrow('The email or password you entered is incorrect')
  expect(consoleErrors).toEqual([])
})
