import { expect } from '@playwright/test'
import { openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { callApi, openApp, PASSWORD, registerMember, sampledDevices } from './steps.ts'

for (const { device, viewport } of sampledDevices('access tokens'))
  test(`on ${device}: a script uses an access token until it is revoked`, async ({ browser }) => {
    const person = await registerMember()
    const { page, consoleErrors } = await openApp(browser, { viewport, as: person })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await openAccountSettings(page)
    const dialog = page.getByRole('dialog', { name: 'Account settings' })
    await dialog.getByRole('tab', { name: 'Access tokens' }).click()
    await expect(dialog.getByText('You have no access tokens.')).toBeVisible()

    await dialog.getByRole('button', { name: 'New access token' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByLabel('Token name')).toBeFocused()
    await page.keyboard.type('Nightly backup')
    await dialog.getByLabel('Current Password').fill('Not-Theirs-2026')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('The current password is incorrect.')).toBeVisible()
    // The form shows the error slightly before it accepts input again. What is typed or submitted in between is lost.
    await expect(dialog.locator('[aria-busy=true]')).toHaveCount(0)
    await dialog.getByLabel('Current Password').fill(PASSWORD)
    await page.keyboard.press('Enter')

    const shown = dialog.getByLabel('Your new access token')
    await expect(shown).toBeFocused()
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(page.getByText('Copied', { exact: true }).first()).toBeVisible()
    const token = await page.evaluate(() => navigator.clipboard.readText())
    expect(token).toBe(await shown.inputValue())
    await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
    await expect(shown).toBeHidden()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)

    const read = () => callApi<{ user: { id: string } }>('GET /users/profile', token)
    expect((await read()).user.id).toBe(person.id)
    await expect(callApi('PUT /users/profile', token, { bio: 'By a script' })).rejects.toThrow(
      'This access token needs the scope “write”',
    )

    await dialog.getByRole('button', { name: 'Revoke Nightly backup' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await expect(dialog.getByText('You have no access tokens.')).toBeVisible()
    await expect(read()).rejects.toThrow('Please sign in')
    expect(consoleErrors).toEqual([])
  })
