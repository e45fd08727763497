import { type Browser, expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '../server.ts'
import { challenged, DESKTOP, openApp, PHONE, registered, signIn, url } from './steps.ts'
import { comeBack, teamOfThree } from './team-steps.ts'

const SECTIONS = ['teams', 'challenges', 'works', 'leaderboard', 'contact'] as const

/** Every section is drawn: from here on the page keeps its height. */
async function drawn(page: Page): Promise<void> {
  for (const section of SECTIONS) await expect(page.locator(`#${section} h2`).first()).toBeAttached()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

const topOf = (page: Page, section: string): Promise<number> =>
  page.locator(`#${section}`).evaluate((one) => Math.round(one.getBoundingClientRect().top))

/** Puts a section's top this far below the window's. */
const scrollSo = (page: Page, section: string, top: number): Promise<void> =>
  page
    .locator(`#${section}`)
    .evaluate(
      (one, wanted) => window.scrollBy({ top: one.getBoundingClientRect().top - wanted, behavior: 'instant' }),
      top,
    )

const current = (page: Page) => page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current]')

for (const [locale, title, text] of [
  ['en-GB', 'Loading ...', 'Initializing services and checking connections'],
  ['fr-MA', 'Chargement ...', 'Démarrage des services et vérification des connexions'],
  ['ar-MA', 'جارٍ التحميل ...', 'نُشغّل الخدمات ونتحقّق من الاتصال'],
] as const)
  test(`the loading screen stays until the backend has answered, ${locale}`, async ({ browser }) => {
    const page = await browser.newPage({ baseURL: url, locale })
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/health', async (route) => {
      await asked
      await route.continue()
    })
    await page.goto('/')
    const screen = page.getByRole('status')
    await expect(screen.getByText(title, { exact: true })).toBeVisible()
    await expect(screen.getByText(text, { exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0)
    answer()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText(title, { exact: true })).toHaveCount(0)
    await page.close()
  })

test('a section is where the reader is once its top is 100 px from the window’s', async ({ browser }) => {
  const { page } = await openApp(browser)
  await drawn(page)
  await expect(current(page)).toHaveText('Home')
  await scrollSo(page, 'challenges', 101)
  await expect(current(page)).toHaveText('Teams')
  await scrollSo(page, 'challenges', 99)
  await expect(current(page)).toHaveText('Challenges')
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
  await expect(current(page)).toHaveText('Community')
})

for (const [from, delay] of [
  ['the page', 150],
  ['the dashboard', 300],
] as const)
  test(`a link to a section scrolls ${delay} ms after it was pressed on ${from}`, async ({ browser }) => {
    const { page } = await openApp(browser)
    await drawn(page)
    if (delay === 300) {
      await comeBack(page, await registered())
      await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToDashboard')))
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    }
    // From here on the page's time passes only as told.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 1000)
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Leaderboard' }).click()
    await expect(page).toHaveURL(/#leaderboard$/)
    await page.clock.runFor(delay - 1)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await page.clock.runFor(2)
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(200)
  })

test('the back button and the reload keep the place: sections, dashboard and admin area', async ({ browser }) => {
  const { page } = await openApp(browser)
  await comeBack(page, ADMIN)
  await drawn(page)
  const nav = page.getByRole('navigation', { name: 'Sections' })
  await nav.getByRole('link', { name: 'Works' }).click()
  await expect(current(page)).toHaveText('Works')
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToAdmin')))
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/#works$/)
  await expect(current(page)).toHaveText('Works')
  await expect.poll(() => topOf(page, 'works')).toBeLessThanOrEqual(100)
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToChallenges')))
  await expect(page).toHaveURL(/#challenges$/)
  await expect(current(page)).toHaveText('Challenges')
})

test('after a reload the reader is where they were, not at the section’s beginning', async ({ browser }) => {
  const { page } = await openApp(browser, { viewport: PHONE })
  await drawn(page)
  await scrollSo(page, 'works', -150)
  const before = await page.evaluate(() => window.scrollY)
  await page.reload()
  await drawn(page)
  await expect.poll(async () => Math.abs((await page.evaluate(() => window.scrollY)) - before)).toBeLessThan(60)
})

test('the way back from the dashboard leads to where the reader was, also where the address names no section', async ({
  browser,
}) => {
  // What is above the place is long.
  await Promise.all(Array.from({ length: 6 }, () => challenged()))
  const { page } = await openApp(browser, { viewport: PHONE })
  await comeBack(page, await registered())
  await drawn(page)
  await scrollSo(page, 'works', -150)
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToDashboard')))
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.goBack()
  await drawn(page)
  await expect.poll(() => topOf(page, 'works')).toBe(-150)
})

test('after a reload the dashboard is in its tab and at its place, however late its data come', async ({ browser }) => {
  const { page } = await openApp(browser, { viewport: PHONE })
  const { chef } = await teamOfThree()
  await comeBack(page, chef)
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToDashboard')))
  await page.getByRole('tab', { name: /^Members/ }).click()
  const last = page.locator('main').getByRole('article').last()
  await last.evaluate((one) => one.scrollIntoView({ block: 'start', behavior: 'instant' }))
  const topOfLast = () => last.evaluate((one) => Math.round(one.getBoundingClientRect().top))
  const before = await topOfLast()
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/trpc/*users.dashboard*', async (route) => {
    await asked
    await route.continue()
  })
  await page.reload()
  // By then the page has gone to its place once, without the data.
  await page.waitForFunction(() => performance.now() > 2000)
  answer()
  await expect(page.getByRole('tab', { name: /^Members/, selected: true })).toBeVisible()
  await expect.poll(async () => Math.abs((await topOfLast()) - before)).toBeLessThan(60)
})

test('a browser that forbids its storages draws the page and lets one in', async ({ browser }) => {
  const person = await registered('Lina')
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
  await drawn(page)
  await signIn(page, person)
  await expect(page.getByRole('button', { name: 'Account of Lina' })).toBeVisible()
  await page.getByRole('banner').getByLabel('Language').selectOption('fr')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
})

for (const [by, hide] of [
  ['Escape', false],
  // A phone's Back comes to the browser alone, not as a key to the page; this is the same request.
  ['a close request of the browser', true],
] as const)
  test(`of two dialogs ${by} closes the upper one, then the lower one, and the page stays`, async ({ browser }) => {
    const { page } = await openApp(browser)
    await comeBack(page, await registered())
    await page.evaluate(() => window.dispatchEvent(new CustomEvent('openAccount')))
    const lower = page.getByRole('dialog', { name: 'Account settings' })
    await lower.getByRole('tab', { name: 'Security' }).click()
    await lower.getByRole('button', { name: 'Delete account' }).click()
    const upper = page.getByRole('dialog', { name: 'Delete your account?' })
    await expect(upper).toBeVisible()
    if (hide) await page.evaluate(() => addEventListener('keydown', (event) => event.stopImmediatePropagation(), true))
    await page.keyboard.press('Escape')
    await expect(upper).toBeHidden()
    await expect(lower).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(lower).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })

test('a link with a hash leads to its section; a member meets no admin area at its address', async ({ browser }) => {
  const { page } = await openApp(browser)
  await page.goto('about:blank')
  await page.goto('/#works')
  await drawn(page)
  await expect(current(page)).toHaveText('Works')
  await expect.poll(() => topOf(page, 'works')).toBeLessThanOrEqual(100)
  await page.reload()
  await drawn(page)
  await expect(current(page)).toHaveText('Works')
  await comeBack(page, await registered())
  await page.goto('/#admin')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: /Form a team/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toHaveCount(0)
})

test('the hero: Join a Team Now leads to the teams, Get Started Free is for visitors, three cards', async ({
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
  await expect(current(page)).toHaveText('Teams')
  await comeBack(page, await registered())
  await expect(hero.getByRole('button', { name: 'Join a Team Now' })).toBeVisible()
  await expect(hero.getByRole('button', { name: 'Get Started Free' })).toHaveCount(0)
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
    .poll(() => hrefs('Meet us'))
    .toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/^https:/), expect.stringMatching(/^mailto:/)])
  await footer.getByRole('link', { name: 'Leaderboard' }).click()
  await expect(current(page)).toHaveText('Leaderboard')
})

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
  await drawn(page)
  await page.getByLabel('Search teams').fill('zzz')
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await page.getByRole('banner').getByLabel('Language').selectOption('ar')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('كوّن فريقك. خُض التحدّي. تصدّر الترتيب.')
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  // What was typed is still there.
  await expect(page.locator('#teams').getByRole('searchbox')).toHaveValue('zzz')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  await page.getByRole('banner').getByRole('combobox').selectOption('fr')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
})

const PAPER = { light: 'rgb(251, 248, 243)', dark: 'rgb(14, 20, 33)' }
const paper = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

test('the theme is there before the program: nothing flashes', async ({ browser }) => {
  for (const [system, chosen, drawnTheme] of [
    ['light', null, 'light'],
    ['dark', null, 'dark'],
    ['light', 'dark', 'dark'],
    ['dark', 'light', 'light'],
    ['dark', 'system', 'dark'],
  ] as const) {
    const context = await browser.newContext({ baseURL: url, colorScheme: system })
    if (chosen) await context.addInitScript((theme) => localStorage.setItem('theme', theme), chosen)
    const page = await context.newPage()
    // Whatever is drawn now was drawn before any module ran.
    await page.route(/\/assets\/.*\.js$/, () => {})
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByText('Loading ...', { exact: true })).toBeVisible()
    // It is drawn, not only read: that waits for the styles.
    await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0)
    expect([system, chosen, await paper(page)]).toEqual([system, chosen, PAPER[drawnTheme]])
    await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', /^#/)
    await context.close()
  }
})

test('the theme follows the device until one is chosen, and stays chosen', async ({ browser }) => {
  const { page } = await openApp(browser, { colorScheme: 'light' })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => paper(page)).toBe(PAPER.dark)
  await page.getByRole('button', { name: 'Switch to the light theme' }).click()
  await expect.poll(() => paper(page)).toBe(PAPER.light)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await paper(page)).toBe(PAPER.light)
})

/** A toast on the page, by a sign-in that fails. */
async function openWithToast(browser: Browser, options: Parameters<typeof openApp>[1] = {}) {
  const { page } = await openApp(browser, options)
  await page.goto('/#external-sign-in-failed')
  await page.reload()
  const toast = page.locator('.toast').filter({ hasText: /.+/ })
  await expect(toast).toBeVisible()
  return { page, toast }
}

async function swipe(page: Page, toast: ReturnType<Page['locator']>, distance: number): Promise<void> {
  const box = await toast.boundingBox()
  if (!box) throw new Error('The toast is not drawn')
  const [x, y] = [box.x + 80, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (const part of [0.3, 0.6, 1]) await page.mouse.move(x + distance * part, y)
  await page.mouse.up()
}

test('a toast goes with a swipe right of more than 100 px, and stays at less', async ({ browser }) => {
  const { page, toast } = await openWithToast(browser)
  await expect(toast).toContainText("We couldn't sign you in. Please try again.")
  await swipe(page, toast, 95)
  await expect(toast).toHaveAttribute('data-state', 'open')
  await swipe(page, toast, 110)
  await expect(toast).toHaveCount(0)
})

test('a toast outlives a reload, and goes by itself after 5 seconds', async ({ browser }) => {
  const { page, toast } = await openWithToast(browser)
  await page.reload()
  await expect(toast).toBeVisible()
  await expect(toast).toHaveCount(1)
  // Under the pointer it would wait.
  await page.mouse.move(0, 0)
  await expect(toast).toHaveCount(0, { timeout: 8000 })
  await page.reload()
  await drawn(page)
  await expect(toast).toHaveCount(0)
})

test('the menu of a phone welcomes, and has what the header has', async ({ browser }) => {
  const person = await registered('Lina')
  const { page } = await openApp(browser, { viewport: PHONE })
  const menu = page.getByRole('dialog', { name: 'Menu' })
  const open = () => page.getByRole('button', { name: 'Menu' }).click()
  await open()
  await expect(menu).toContainText('Welcome to the community')
  for (const name of ['Sign In', 'Sign Up']) await expect(menu.getByRole('button', { name })).toBeVisible()
  await menu.getByRole('link', { name: 'Challenges' }).click()
  await expect(menu).toBeHidden()
  await expect.poll(() => topOf(page, 'challenges')).toBeLessThanOrEqual(100)
  await comeBack(page, person)
  await open()
  await expect(menu).toContainText('Welcome, Lina')
  await expect(menu.getByRole('button', { name: 'Sign Out' })).toBeVisible()
  await expect(menu.getByRole('button', { name: 'Admin Panel' })).toHaveCount(0)
  await menu.getByRole('button', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL(/#dashboard$/)
})

test('who asks for less motion gets none', async ({ browser }) => {
  const { page } = await openApp(browser, { reducedMotion: 'reduce' })
  await drawn(page)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('auto')
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  const moving = await page.evaluate(() =>
    document.getAnimations().map((one) => (one instanceof CSSAnimation ? one.animationName : 'transition')),
  )
  expect(moving.filter((name) => name !== 'transition')).toEqual([])

  const lively = await openApp(browser, { reducedMotion: 'no-preference' })
  expect(await lively.page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe('smooth')
})
