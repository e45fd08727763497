import { expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { openApp, PHONE, registerMember } from './steps.ts'

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('by keyboard: signs in, opens and closes the settings; the focus returns to the opener', async ({ browser }) => {
  const person = await registerMember()
  const { page } = await openApp(browser)
  const opener = page.getByRole('banner').getByRole('button', { name: 'Sign In' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await closeDialog(page)
  await expect(opener).toBeFocused()

  await page.keyboard.press('Enter')
  const byEmail = page.getByRole('dialog').getByRole('button', { name: 'Continue with Email' })
  await expect(byEmail).toBeVisible()
  for (let step = 0; step < 8 && !(await byEmail.evaluate((element) => element === document.activeElement)); step += 1)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  await page.keyboard.type(person.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')

  const menu = page.getByRole('button', { name: `Account of ${person.name}` })
  await expect(menu).toBeVisible()
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Account settings' }).press('Enter')
  const settings = page.getByRole('dialog', { name: 'Account settings' })
  await expect(settings).toBeVisible()
  await settings.getByRole('tab', { name: 'Profile' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(settings.getByRole('tab', { name: 'Security' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(settings.getByRole('tab', { name: 'Notifications' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(settings.getByText('This device', { exact: true })).toBeVisible()
  await closeDialog(page)
  await expect(menu).toBeFocused()
})

test('on a phone no picture, long name or long address widens the settings', async ({ browser }) => {
  const person = await registerMember('Abdelrahmane-Mohammed El Idrissi Ben Abdeljalil Al Fassi')
  const { page } = await openApp(browser, { viewport: { ...PHONE, width: 320 }, as: person })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Account settings' }).click()
  await expect(page.getByRole('dialog', { name: 'Account settings' })).toBeVisible()
  await expectAccessible(page)
})
