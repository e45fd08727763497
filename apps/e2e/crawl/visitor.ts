import { expect, type Locator, type Page } from '@playwright/test'
import { newestCode } from '../inbox.ts'
import {
  buttonIn,
  dialogOf,
  isNarrow,
  memberEmail,
  openByEvent,
  openOverlay,
  type Crawler,
  submitInvalid,
  openStop,
  stopIn,
  type Step,
  type Stop,
  stop,
  submitOf,
} from './crawler.ts'

export const SECTIONS = ['teams', 'challenges', 'works', 'leaderboard', 'contact']

/** Scrolls until every section of the page is rendered. */
export async function renderAllSections({ page }: Crawler): Promise<void> {
  await page.locator('header a[href="/"]').click()
  for (const section of SECTIONS) {
    await page.locator(`#${section}`).scrollIntoViewIfNeeded()
    await expect(page.locator(`#${section} h2`).first()).toBeVisible()
    // Lists load more when their end scrolls into view.
    await page.locator(`#${section}`).evaluate((node) => node.scrollIntoView({ block: 'end', behavior: 'instant' }))
    await expect(page.locator(`#${section} [aria-busy=true]`)).toHaveCount(0)
  }
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
}

export async function openMenu(crawler: Crawler, name = ''): Promise<void> {
  const { page, t, variant } = crawler
  const account = page.getByRole('button', { name: t('Account of {name}', { name }) })
  await openOverlay(crawler, isNarrow(variant) ? page.getByRole('button', { name: t('Menu'), exact: true }) : account)
}

const openDialogTab =
  (index: number): Step =>
  ({ page }) =>
    dialogOf(page).getByRole('tab').nth(index).click()

const openAuth =
  (mode: 'login' | 'register'): Step =>
  ({ page }) =>
    openByEvent(page, 'openAuthModal', { mode })

const openEmailForm =
  (mode: 'login' | 'register'): Step =>
  async (crawler) => {
    const { page, t } = crawler
    await openAuth(mode)(crawler)
    await buttonIn(dialogOf(page), t, 'Continue with Email').click()
    await expect(submitOf(page)).toBeVisible()
  }

const codeIn = (container: Page | Locator): Locator => container.locator('input[autocomplete=one-time-code]')

async function fillPasswords(page: Page, password: string): Promise<void> {
  for (const field of await dialogOf(page).locator('input[type=password]').all()) await field.fill(password)
}

const fillSignUp: Step = async ({ page, index }) => {
  const dialog = dialogOf(page)
  await dialog.locator('input[autocomplete=name]').fill('Abdelrahmane El Idrissi Ben Abdeljalil')
  await dialog.locator('input[type=email]').fill(`visitor.of.the.crawl.${index}.${Date.now()}@example.ma`)
  await fillPasswords(page, 'Zellige2026')
  await submitOf(page).click()
  await expect(codeIn(dialog)).toBeVisible()
}

/** A search without results. */
const noResultsStop = (section: string, text: string): Stop =>
  stopIn(`#${section}`, `${section}, none found`, async ({ page, t }) => {
    const container = page.locator(`#${section}`)
    await container.getByRole('searchbox').fill('zzzzzz')
    if (section === 'challenges') await container.getByRole('button', { name: t('Apply Filters') }).click()
    await expect(container.getByText(t(text), { exact: true }).last()).toBeVisible()
  })

const sections = [
  stop('page', renderAllSections),
  noResultsStop('teams', 'No Teams Found'),
  noResultsStop('challenges', 'No Challenges Found'),
  noResultsStop('works', 'No works found'),
  stopIn('#challenges', 'my applications, signed out', async ({ page, t }) => {
    const section = page.locator('#challenges')
    await section.getByRole('tab', { name: t('My Applications') }).click()
    await expect(section.getByText(t('Please Sign In'))).toBeVisible()
  }),
  stopIn('#challenges', 'all challenges', async ({ page, t }) => {
    const section = page.locator('#challenges')
    await section.getByRole('tab', { name: t('All'), exact: true }).click()
    await section.getByRole('searchbox').fill('')
    await section.getByRole('button', { name: t('Apply Filters') }).click()
    await expect(section.locator('h3 button').nth(2)).toBeVisible()
  }),
]

const challenge = [
  openStop('challenge', (crawler) => openOverlay(crawler, crawler.page.locator('#challenges h3 button').first())),
  openStop('challenge, requirements', openDialogTab(1)),
  openStop('challenge, resources', openDialogTab(2)),
  stop('share', async (crawler) => {
    const dialog = dialogOf(crawler.page)
    const title = await dialog.getByRole('heading').first().innerText()
    await openOverlay(crawler, dialog.getByRole('button', { name: crawler.t('Share {what}', { what: title }) }))
  }),
]

const signIn = [
  stop('menu', (crawler) => openMenu(crawler), { when: isNarrow }),
  stop('sign-in prompt', (crawler) =>
    openOverlay(crawler, crawler.page.locator('#challenges').getByText(crawler.t('Apply'), { exact: true }).first()),
  ),
  stop('sign in', openAuth('login')),
  openStop('sign in by email', openEmailForm('login')),
  stop('sign in, invalid fields', submitInvalid),
  stop('sign up', openAuth('register')),
  openStop('sign up by email', openEmailForm('register')),
  openStop('sign up, invalid fields', submitInvalid),
  openStop('sign up, code and toast', fillSignUp),
  stop('sign up, wrong code', async ({ page }) => {
    await codeIn(dialogOf(page)).fill('000000')
    await expect(dialogOf(page).locator('[aria-invalid=true]')).toBeVisible()
  }),
]

/** Each crawler resets the password of its own demo member, from the last of 90 down, so that crawls do not share one. */
const passwordResetEmail = (index: number): string => memberEmail(90 - index)

const forgottenPassword = [
  openStop('forgotten password', ({ page, index }) =>
    openByEvent(page, 'openAuthModal', { mode: 'forgot', email: passwordResetEmail(index) }),
  ),
  openStop('forgotten password, code', async ({ page }) => {
    await submitOf(page).click()
    await expect(codeIn(dialogOf(page))).toBeVisible()
  }),
  openStop('forgotten password, invalid fields', async (crawler) => {
    await codeIn(dialogOf(crawler.page)).fill('000000')
    await fillPasswords(crawler.page, 'short')
    await submitInvalid(crawler)
  }),
  stop('forgotten password, done', async ({ page, site, index }) => {
    const code = await newestCode(site.inboxUrl, passwordResetEmail(index))
    await fillPasswords(page, 'Zellige-2027')
    await codeIn(dialogOf(page)).fill(code)
    await submitOf(page).click()
    await expect(dialogOf(page).locator('input')).toHaveCount(0)
  }),
]

const externalCode = [
  stop('external code page', async ({ page, site }) => {
    await page.goto(`${site.url}/auth/google-otp?email=sara.el-amrani%40example.ma&name=Sara`)
    await expect(codeIn(page)).toBeVisible()
  }),
  stop('external code page, wrong code', async ({ page }) => {
    await codeIn(page).fill('123')
    await page.keyboard.press('Enter')
    await expect(page.locator('[aria-invalid=true]')).toBeVisible()
  }),
]

const textPages = ['privacy', 'terms'].map((name) =>
  stop(name, async ({ page, site }) => {
    await page.goto(`${site.url}/#${name}`)
    await expect(page.locator('main article h1')).toBeVisible()
  }),
)

/** The stops of a visitor. */
export const VISITOR_STOPS = [...sections, ...challenge, ...signIn, ...forgottenPassword, ...externalCode, ...textPages]
