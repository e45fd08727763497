import { sampledForTier } from '@community/testing'
import { expect, type Locator, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { expectSound } from './sound.ts'
import { createTeam, openApp, PHONE, registerMember } from './steps.ts'
import { signInByToken } from './team-steps.ts'

const LOOKS = [
  { theme: 'light', language: 'en', width: 1280 },
  { theme: 'dark', language: 'en', width: 390 },
  { theme: 'light', language: 'ar', width: 390 },
  { theme: 'dark', language: 'ar', width: 1280 },
  { theme: 'light', language: 'fr', width: 320 },
] as const
const LOCALES = { en: 'en-GB', ar: 'ar-MA', fr: 'fr-FR' } as const

/** By what they are, not by their words: these run in three languages. */
const dialogOf = (page: Page): Locator => page.getByRole('dialog').last()
const submit = (page: Page): Locator => dialogOf(page).locator('button[type=submit]')
const openModal = (page: Page, mode: 'login' | 'register' | 'forgot', email = '') =>
  page.evaluate((detail) => window.dispatchEvent(new CustomEvent('openAuthModal', { detail })), { mode, email })

async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

for (const { theme, language, width } of sampledForTier(LOOKS, 1, 'accounts'))
  test(`${theme}, ${language}, ${width} px: every state of the accounts is accessible and fits`, async ({
    browser,
  }) => {
    test.slow()
    const person = await registerMember(language === 'ar' ? 'يوسف بنعلي' : undefined)
    await createTeam(person)
    const { page, complaints } = await openApp(browser, {
      viewport: { width, height: 800 },
      colorScheme: theme,
      locale: LOCALES[language],
    })
    await openModal(page, 'register')
    await dialogOf(page).getByRole('tabpanel').getByRole('button').last().click()
    await submit(page).click()
    await expect(dialogOf(page).locator('[aria-invalid=true]').first()).toBeFocused()
    await expectSound(page)
    await leave(page)

    await openModal(page, 'forgot', person.email)
    await expectSound(page)
    await submit(page).click()
    await dialogOf(page).locator('input[autocomplete=one-time-code]').fill('000000')
    for (const password of await dialogOf(page).locator('input[type=password]').all())
      await password.fill('Zellige2027')
    await submit(page).click()
    await expect(dialogOf(page).locator('input[autocomplete=one-time-code][aria-invalid=true]')).toBeFocused()
    await expectSound(page)
    await leave(page)

    await openModal(page, 'login', person.email)
    await dialogOf(page).getByRole('tabpanel').getByRole('button').last().click()
    await dialogOf(page).locator('input[type=password]').fill(person.password)
    await submit(page).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.evaluate(() => window.dispatchEvent(new CustomEvent('openAccount')))
    for (const index of [0, 1, 2]) {
      await dialogOf(page).getByRole('tab').nth(index).click()
      await expect(dialogOf(page).locator('[aria-busy=true]')).toHaveCount(0)
      await expectSound(page)
    }
    await dialogOf(page).getByRole('tab').nth(1).click()
    await dialogOf(page).getByRole('tabpanel').getByRole('button').last().click()
    await expect(dialogOf(page).locator('input[type=password]')).toBeFocused()
    await expectSound(page)

    await page.goto('/auth/google-otp?email=someone.with.a.long.address%40example.ma&name=Sara')
    const code = page.locator('input[autocomplete=one-time-code]')
    await code.fill('123')
    await page.keyboard.press('Enter')
    await expect(code).toHaveAttribute('aria-invalid', 'true')
    await expectSound(page)
    expect(complaints).toEqual([])
  })

test('by keys alone: in, to the settings and back; the focus returns to what opened a dialog', async ({ browser }) => {
  const person = await registerMember()
  const { page } = await openApp(browser)
  const opener = page.getByRole('banner').getByRole('button', { name: 'Sign In' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await leave(page)
  await expect(opener).toBeFocused()

  await page.keyboard.press('Enter')
  const byEmail = page.getByRole('dialog').getByRole('button', { name: 'Continue with Email' })
  await expect(byEmail).toBeVisible()
  for (let step = 0; step < 8 && !(await byEmail.evaluate((one) => one === document.activeElement)); step += 1)
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
  await expect(settings.getByText('This device')).toBeVisible()
  await leave(page)
  await expect(menu).toBeFocused()
})

test('on a phone no picture, long name or long address widens the settings', async ({ browser }) => {
  const person = await registerMember('Abdelrahmane-Mohammed El Idrissi Ben Abdeljalil Al Fassi')
  const { page } = await openApp(browser, { viewport: { ...PHONE, width: 320 } })
  await signInByToken(page, person)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expectSound(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Account settings' }).click()
  await expect(page.getByRole('dialog', { name: 'Account settings' })).toBeVisible()
  await expectSound(page)
})
