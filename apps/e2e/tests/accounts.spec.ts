import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { sampledDevices, openApp, registerMember, signIn, signOut, signUp, newTestUser } from './steps.ts'

for (const { device, viewport } of sampledDevices('signs up and in'))
  test(`on ${device}: a user signs up with the mailed code, stays signed in after a reload, signs out and signs in`, async ({
    browser,
  }) => {
    const { page, consoleErrors } = await openApp(browser, { viewport })
    const person = newTestUser()
    await signUp(page, person)
    await page.reload()
    await signOut(page, person.name)
    await signIn(page, person)
    await expect(page.getByText('Welcome Back!').first()).toBeVisible()
    expect(consoleErrors).toEqual([])
  })

test('a wrong password and an unknown email address get the same message', async ({ browser }) => {
  const { email } = await registerMember()
  for (const address of [email, 'nobody@example.ma']) {
    const { page } = await openApp(browser)
    await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /continue with email/i }).click()
    await dialog.getByLabel('Email', { exact: true }).fill(address)
    await dialog.getByLabel('Password', { exact: true }).fill('Wrong-2026')
    await dialog.getByRole('button', { name: 'Sign In', exact: true }).click()
    const text = 'The email or password you entered is incorrect. Please check and try again.'
    await expect(dialog.getByText(text).first()).toBeVisible()
  }
})

test('a failed external sign-in shows an error, and the URL is cleaned', async ({ browser }) => {
  const { page } = await openApp(browser)
  await page.goto('/auth/google/callback?state=forged&code=forged')
  await expect(page.getByText("We couldn't sign you in. Please try again.").first()).toBeVisible()
  await expect(page).not.toHaveURL(/external-sign-in-failed/)
})
