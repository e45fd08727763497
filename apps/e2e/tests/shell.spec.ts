import { sampledForTier } from '@community/testing'
import { expect } from '@playwright/test'
import { emit } from '../crawl/crawler.ts'
import { openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { currentLink, topOf } from './section-steps.ts'
import { holdRequests, openApp, PHONE, registerMember, url } from './steps.ts'

const LOADING = [
  ['en-GB', 'Loading ...', 'Initializing services and checking connections'],
  ['fr-MA', 'Chargement…', 'Démarrage des services et vérification des connexions'],
  ['ar-MA', 'جارٍ التحميل…', 'نُشغّل الخدمات ونتحقّق من الاتصال'],
] as const
for (const [locale, title, text] of sampledForTier(LOADING, 1, 'loading screen'))
  test(`the loading screen stays until the backend has responded, ${locale}`, async ({ browser }) => {
    const page = await browser.newPage({ baseURL: url, locale })
    const release = await holdRequests(page, '**/api/health')
    await page.goto('/')
    const screen = page.getByRole('status')
    await expect(screen.getByText(title, { exact: true })).toBeVisible()
    await expect(screen.getByText(text, { exact: true })).toBeVisible()
    const hero = page.getByRole('heading', { level: 1 })
    await expect(hero).toHaveCount(0)
    const headline = page.locator('.boot-headline')
    const [words, place] = [await headline.innerText(), await headline.boundingBox()]
    release()
    // The hero takes the headline's place.
    await expect(hero).toHaveText(words)
    expect(await hero.boundingBox()).toMatchObject({ x: place?.x, y: place?.y })
    await expect(page.getByText(title, { exact: true })).toHaveCount(0)
    await page.close()
  })

test('Escape or a close request closes the upper of two dialogs, then the lower one, without leaving the page', async ({
  browser,
}) => {
  const { page } = await openApp(browser, { as: await registerMember() })
  const lower = page.getByRole('dialog', { name: 'Account settings' })
  const upper = page.getByRole('dialog', { name: 'Delete your account?' })
  const closeBoth = async () => {
    await openAccountSettings(page)
    await lower.getByRole('tab', { name: 'Security' }).click()
    await lower.getByRole('button', { name: 'Delete account' }).click()
    await expect(upper).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(upper).toBeHidden()
    await expect(lower).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(lower).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await closeBoth()
  // A phone's Back button sends a close request without a key event; this triggers the same request.
  await page.evaluate(() => addEventListener('keydown', (event) => event.stopImmediatePropagation(), true))
  await closeBoth()
})

test('the hero: Join a Team Now scrolls to the teams, only visitors see Get Started Free, and there are three cards', async ({
  browser,
}) => {
  const { page } = await openApp(browser)
  const hero = page.locator('#home')
  for (const card of ['Competition', 'Teamwork', 'Skill Growth']) await expect(hero.getByText(card)).toBeVisible()
  await expect(hero.getByRole('listitem')).toHaveCount(3)
  await hero.getByRole('button', { name: 'Get Started Free' }).click()
  await expect(page.getByRole('dialog').getByRole('tab', { name: 'Sign Up', selected: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await hero.getByRole('button', { name: 'Join a Team Now' }).click()
  await expect(currentLink(page)).toHaveText('Teams')
  const member = await openApp(browser, { as: await registerMember() })
  const memberHome = member.page.locator('#home')
  await expect(memberHome.getByRole('button', { name: 'Join a Team Now' })).toBeVisible()
  await expect(memberHome.getByRole('button', { name: 'Get Started Free' })).toHaveCount(0)
})

test('the footer: brand, quick links, community links, 2025', async ({ browser }) => {
  const { page } = await openApp(browser)
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText('© 2025 Community')
  const hrefs = (list: string) =>
    footer
      .getByRole('heading', { name: list })
      .locator('..')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(await hrefs('Quick links')).toEqual(['#teams', '#challenges', '#leaderboard', '#contact'])
  await expect
    .poll(() => hrefs('Get in touch'))
    .toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/^https:/), expect.stringMatching(/^mailto:/)])
  await footer.getByRole('link', { name: 'Leaderboard' }).click()
  await expect(currentLink(page)).toHaveText('Leaderboard')
})

test('the phone menu shows a greeting and the links of the header', async ({ browser }) => {
  const { page } = await openApp(browser, { viewport: PHONE })
  const menu = page.getByRole('dialog', { name: 'Menu' })
  const open = () => page.getByRole('button', { name: 'Menu' }).click()
  await open()
  await expect(menu).toContainText('Welcome to the community')
  for (const name of ['Sign In', 'Sign Up']) await expect(menu.getByRole('button', { name })).toBeVisible()
  await menu.getByRole('link', { name: 'Challenges' }).click()
  await expect(menu).toBeHidden()
  await expect.poll(() => topOf(page, 'challenges')).toBeLessThanOrEqual(100)
})

test('the phone menu greets a member by name, shows the email and opens the dashboard', async ({ browser }) => {
  const lina = await registerMember('Lina')
  const { page } = await openApp(browser, { viewport: PHONE, as: lina })
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(menu).toContainText('Welcome, Lina')
  await expect(menu).toContainText(lina.email)
  await expect(menu.getByRole('button', { name: 'Sign Out' })).toBeVisible()
  await expect(menu.getByRole('button', { name: 'Admin Panel' })).toHaveCount(0)
  await menu.getByRole('button', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL(/#dashboard$/)
  await expect(page.getByRole('main')).toBeFocused()
})

test('Tab never focuses anything behind a dialog', async ({ browser }) => {
  const { page } = await openApp(browser)
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  for (let step = 0; step < 15; step += 1) {
    await page.keyboard.press(step % 3 === 2 ? 'Shift+Tab' : 'Tab')
    const isBehindDialog = await page.evaluate(() => {
      const { activeElement } = document
      return activeElement !== document.body && activeElement?.closest('[role=dialog]') === null
    })
    expect(isBehindDialog).toBe(false)
  }
})

test('in Arabic, ArrowLeft goes to the next tab', async ({ browser }) => {
  const { page } = await openApp(browser, { locale: 'ar-MA' })
  await emit(page, 'openAuthModal', { mode: 'login' })
  const tabs = page.getByRole('dialog').getByRole('tab')
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(tabs.first()).toBeFocused({ timeout: 100 })
  }).toPass()
  await page.keyboard.press('ArrowLeft')
  await expect(tabs.last()).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tabs.first()).toBeFocused()
})
