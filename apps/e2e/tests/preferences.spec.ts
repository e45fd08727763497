import { expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { expectSectionsRendered } from './section-steps.ts'
import { DESKTOP, openApp, registerMember, signIn, url } from './steps.ts'

for (const [locale, language, dir] of [
  ['fr-FR', 'fr', 'ltr'],
  ['ar-MA', 'ar', 'rtl'],
  ['de-DE', 'en', 'ltr'],
] as const)
  test(`a browser in ${locale} is offered ${language}`, async ({ browser }) => {
    const { page } = await openApp(browser, { locale })
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(page.locator('html')).toHaveAttribute('dir', dir)
  })

test('the language changes without a reload, and is remembered', async ({ browser }) => {
  const { page } = await openApp(browser)
  await expectSectionsRendered(page)
  await page.getByLabel('Search teams').fill('zzz')
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.getByRole('banner').getByLabel('Language').selectOption('ar')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('كوّنوا فريقكم. خوضوا التحدّي. تصدّروا الترتيب.')
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  // The typed text is kept.
  await expect(page.locator('#teams').getByRole('searchbox')).toHaveValue('zzz')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  await page.getByRole('banner').getByRole('combobox').selectOption('fr')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
})

const BACKGROUND = { light: 'rgb(251, 248, 243)', dark: 'rgb(14, 20, 33)' }
const backgroundColor = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

test('the theme is applied before any module runs: no flash', async ({ browser }) => {
  for (const [system, chosen, expectedTheme] of [
    ['light', null, 'light'],
    ['dark', null, 'dark'],
    ['light', 'dark', 'dark'],
    ['dark', 'light', 'light'],
    ['dark', 'system', 'dark'],
  ] as const) {
    const context = await browser.newContext({ baseURL: url, colorScheme: system })
    if (chosen) await context.addInitScript((theme) => localStorage.setItem('theme', theme), chosen)
    const page = await context.newPage()
    // Everything painted so far was painted before any module ran.
    await page.route(/\/assets\/.*\.js$/, () => {})
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByText('Loading ...', { exact: true })).toBeVisible()
    // Waits for paint, which waits for the styles.
    await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0)
    expect([system, chosen, await backgroundColor(page)]).toEqual([system, chosen, BACKGROUND[expectedTheme]])
    await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', /^#/)
    await context.close()
  }
})

test('the theme follows the device until one is chosen, and stays chosen', async ({ browser }) => {
  const { page } = await openApp(browser, { colorScheme: 'light' })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => backgroundColor(page)).toBe(BACKGROUND.dark)
  await page.getByRole('button', { name: 'Switch to light theme' }).click()
  await expect.poll(() => backgroundColor(page)).toBe(BACKGROUND.light)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await backgroundColor(page)).toBe(BACKGROUND.light)
})

test('reduced motion disables animations and smooth scrolling', async ({ browser }) => {
  const { page } = await openApp(browser, { reducedMotion: 'reduce' })
  await expectSectionsRendered(page)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('auto')
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : 'transition')),
  )
  expect(moving.filter((name) => name !== 'transition')).toEqual([])

  const withMotion = await openApp(browser, { reducedMotion: 'no-preference' })
  expect(await withMotion.page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('smooth')
})

test('a browser without storage renders the page and can sign in', async ({ browser }) => {
  const person = await registerMember('Lina')
  const context = await browser.newContext({ baseURL: url, viewport: DESKTOP, reducedMotion: 'reduce' })
  await context.addInitScript(() => {
    for (const storage of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, storage, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectSectionsRendered(page)
  await signIn(page, person)
  await expect(page.getByRole('button', { name: 'Account of Lina' })).toBeVisible()
  await page.getByRole('banner').getByLabel('Language').selectOption('fr')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
})
