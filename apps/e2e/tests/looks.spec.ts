import { sampledForTier } from '@community/testing'
import { expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { expectSound } from './sound.ts'
import { call, openApp, registerMember, signIn } from './steps.ts'

const LOOKS = [
  { theme: 'light', language: 'en', width: 1280 },
  { theme: 'dark', language: 'en', width: 360 },
  { theme: 'light', language: 'ar', width: 360 },
  { theme: 'dark', language: 'ar', width: 1280 },
  { theme: 'light', language: 'fr', width: 360 },
] as const
const LOCALES = { en: 'en-GB', ar: 'ar-MA', fr: 'fr-FR' } as const

/** Loads what a page shows only when it is scrolled to, then goes back up. */
async function showAll(page: Page): Promise<void> {
  for (const section of ['teams', 'challenges', 'works', 'leaderboard', 'contact']) {
    await page.locator(`#${section}`).scrollIntoViewIfNeeded()
    await expect(page.locator(`#${section} h2`).first()).toBeVisible()
  }
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

for (const { theme, language, width } of sampledForTier(LOOKS, 1, 'page'))
  test(`${theme}, ${language}, ${width} px: the page and its dialogs are accessible and fit`, async ({ browser }) => {
    const { page, complaints } = await openApp(browser, {
      viewport: { width, height: 800 },
      colorScheme: theme,
      locale: LOCALES[language],
    })
    await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
    await showAll(page)
    await expectSound(page)
    await page.evaluate(() => window.dispatchEvent(new CustomEvent('openAuthModal', { detail: { mode: 'register' } })))
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectSound(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    expect(complaints).toEqual([])
  })

for (const width of sampledForTier([320, 1280], 1, 'signed in'))
  test(`signed in at ${width} px: team wizard, dashboard and admin view are accessible and fit`, async ({
    browser,
  }) => {
    const member = await registerMember()
    const { page } = await openApp(browser, { viewport: { width, height: 800 } })
    await signIn(page, member)
    await page.evaluate(() => window.dispatchEvent(new CustomEvent('openCreateTeamModal')))
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectSound(page)
    await page.keyboard.press('Escape')
    await page.goto('/#dashboard')
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expectSound(page)

    const desk = await openApp(browser, { viewport: { width, height: 800 } })
    await signIn(desk.page, ADMIN)
    await expect(desk.page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
    for (const tab of [
      'Overview',
      'Users',
      'Teams',
      'Challenges',
      'Submissions',
      'Blacklist',
      'Audit log',
      'Settings',
    ]) {
      await desk.page.getByRole('tab', { name: tab }).click()
      await expect(desk.page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectSound(desk.page)
    }
  })

test('a server that answers nothing, nonsense or an error never leaves a white page', async ({ browser }) => {
  await call('GET /settings')
  for (const answer of [
    { status: 500, body: '{"success":false}' },
    { status: 200, body: '<html>hello</html>' },
    null,
  ]) {
    const { page } = await openApp(browser)
    await page.route('**/trpc/**', (route) => (answer ? route.fulfill(answer) : route.abort()))
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.locator('#teams').scrollIntoViewIfNeeded()
    await expect(page.locator('#teams').getByRole('button', { name: 'Try Again' })).toBeVisible()
  }
})
