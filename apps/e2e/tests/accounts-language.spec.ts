import { expect, type Page } from '@playwright/test'
import { newestMail } from '../inbox.ts'
import { openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { callApi, inboxUrl, loadIdentityProvider, openApp, newTestUser } from './steps.ts'
import { translatorFor } from '../crawl/texts.ts'

const t = translatorFor('ar')

const switchTo = async (page: Page, language: string) => {
  await page.getByRole('banner').getByRole('combobox').selectOption(language)
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

const openAuth = (page: Page, mode: 'login' | 'register') =>
  page.evaluate((detail) => window.dispatchEvent(new CustomEvent('openAuthModal', { detail })), { mode })

const languageOfAccount = async (page: Page): Promise<string> => {
  const token = await page.evaluate(() => localStorage.getItem('authToken') ?? '')
  return (await callApi<{ user: { language: string } }>('GET /users/profile', token)).user.language
}

test('after switching the page to Arabic in an English browser, the mails and the account are in Arabic too', async ({
  browser,
}) => {
  const person = newTestUser('سلمى بناني')
  const { page, consoleErrors } = await openApp(browser)
  await switchTo(page, 'ar')
  await openAuth(page, 'register')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('Continue with Email') }).click()
  await dialog.getByLabel(t('Full Name')).fill(person.name)
  await dialog.getByLabel(t('Email'), { exact: true }).fill(person.email)
  await dialog.getByLabel(t('Password'), { exact: true }).fill(person.password)
  await dialog.getByLabel(t('Confirm Password')).fill(person.password)
  await dialog.getByRole('button', { name: t('Create Account') }).click()
  const { subject } = await newestMail(inboxUrl, person.email)
  expect(subject).toMatch(/^\d{6} رمزك للانضمام إلى المجتمع$/)
  await page.getByLabel(t('Verification Code')).fill(subject.slice(0, 6))
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await languageOfAccount(page)).toBe('ar')

  await switchTo(page, 'fr')
  await expect.poll(() => languageOfAccount(page)).toBe('fr')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await openAccountSettings(page, translatorFor('fr'))
  await expect(page.getByRole('dialog').getByLabel('Langue')).toHaveValue('fr')
  expect(consoleErrors).toEqual([])
})

test('an external sign-in keeps the language of the page', async ({ browser }) => {
  await loadIdentityProvider()
  const person = newTestUser('Hicham Alaoui')
  const { page } = await openApp(browser)
  await switchTo(page, 'ar')
  await openAuth(page, 'login')
  await page.getByRole('link', { name: t('Continue with Google') }).click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/auth\/google-otp\?/)
  const { subject } = await newestMail(inboxUrl, person.email)
  expect(subject).toContain('رمز تسجيل الدخول')
  await page.getByLabel(t('Verification Code')).fill(/\d{6}/.exec(subject)?.[0] ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/$/)
  expect(await languageOfAccount(page)).toBe('ar')
})
