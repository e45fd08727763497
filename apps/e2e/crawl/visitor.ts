import { expect } from '@playwright/test'
import { newestCode } from '../inbox.ts'
import {
  dialogOf,
  emit,
  isNarrow,
  memberEmail,
  openBy,
  press,
  type Crawler,
  sendBad,
  type Stop,
  submitOf,
} from './crawler.ts'

const SECTIONS = ['teams', 'challenges', 'works', 'leaderboard', 'contact']

/** Every section of the page is drawn. */
export async function drawAll({ page }: Crawler): Promise<void> {
  await emit(page, 'navigateToHome')
  for (const section of SECTIONS) {
    await page.locator(`#${section}`).scrollIntoViewIfNeeded()
    await expect(page.locator(`#${section} h2`).first()).toBeVisible()
    // Lists load more when their end scrolls into view.
    await page.locator(`#${section}`).evaluate((one) => one.scrollIntoView({ block: 'end', behavior: 'instant' }))
    await expect(page.locator(`#${section} [aria-busy=true]`)).toHaveCount(0)
  }
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
}

export async function openMenu(crawler: Crawler, name = ''): Promise<void> {
  const { page, say, look } = crawler
  const account = page.getByRole('button', { name: say('Account of {name}', { name }) })
  await press(crawler, isNarrow(look) ? page.getByRole('button', { name: say('Menu'), exact: true }) : account)
}

async function byEmail({ page, say }: Crawler, mode: 'login' | 'register'): Promise<void> {
  await openBy(page, 'openAuthModal', { mode })
  await dialogOf(page)
    .getByRole('button', { name: say('Continue with Email') })
    .click()
  await expect(submitOf(page)).toBeVisible()
}

async function fillSignUp(crawler: Crawler): Promise<void> {
  const dialog = dialogOf(crawler.page)
  await dialog.locator('input[autocomplete=name]').fill('Abdelrahmane El Idrissi Ben Abdeljalil')
  await dialog.locator('input[type=email]').fill(`visitor.of.the.crawl.${crawler.number}.${Date.now()}@example.ma`)
  for (const password of await dialog.locator('input[type=password]').all()) await password.fill('Zellige2026')
  await submitOf(crawler.page).click()
  await expect(dialog.locator('input[autocomplete=one-time-code]')).toBeVisible()
}

async function openChallenge(crawler: Crawler): Promise<void> {
  await press(crawler, crawler.page.locator('#challenges h3 button').first())
}

/** Each crawler resets the password of its own demo member, from the last of 90 down, so that crawls do not share one. */
const forgetfulMember = (number: number): string => memberEmail(90 - number)

const part = (index: number): Stop['show'] => {
  return async ({ page }) => dialogOf(page).getByRole('tab').nth(index).click()
}

const sections: Stop[] = [
  { name: 'page', show: drawAll },
  {
    name: 'teams, none found',
    within: '#teams',
    show: async ({ page, say }) => {
      await page.locator('#teams').getByRole('searchbox').fill('zzzzzz')
      await expect(page.locator('#teams').getByText(say('No Teams Found'), { exact: true }).last()).toBeVisible()
    },
  },
  {
    name: 'challenges, none found',
    within: '#challenges',
    show: async ({ page, say }) => {
      const section = page.locator('#challenges')
      await section.getByRole('searchbox').fill('zzzzzz')
      await section.getByRole('button', { name: say('Apply Filters') }).click()
      await expect(section.getByText(say('No Challenges Found'), { exact: true }).last()).toBeVisible()
    },
  },
  {
    name: 'works, none found',
    within: '#works',
    show: async ({ page, say }) => {
      await page.locator('#works').getByRole('searchbox').fill('zzzzzz')
      await expect(page.locator('#works').getByText(say('No works found'), { exact: true }).last()).toBeVisible()
    },
  },
  {
    name: 'my applications, signed out',
    within: '#challenges',
    show: async ({ page, say }) => {
      await page
        .locator('#challenges')
        .getByRole('tab', { name: say('My Applications') })
        .click()
      await expect(page.locator('#challenges').getByText(say('Please Sign In'))).toBeVisible()
    },
  },
  {
    name: 'all challenges',
    within: '#challenges',
    show: async ({ page, say }) => {
      const section = page.locator('#challenges')
      await section.getByRole('tab', { name: say('All'), exact: true }).click()
      await section.getByRole('searchbox').fill('')
      await section.getByRole('button', { name: say('Apply Filters') }).click()
      await expect(section.locator('h3 button').nth(2)).toBeVisible()
    },
  },
]

const challenge: Stop[] = [
  { name: 'challenge', show: openChallenge, stays: true },
  { name: 'challenge, requirements', show: part(1), stays: true },
  { name: 'challenge, resources', show: part(2), stays: true },
  {
    name: 'share',
    show: async (crawler) => {
      const dialog = dialogOf(crawler.page)
      const what = await dialog.getByRole('heading').first().innerText()
      await press(crawler, dialog.getByRole('button', { name: crawler.say('Share {what}', { what }) }))
    },
  },
]

const signIn: Stop[] = [
  { name: 'menu', only: isNarrow, show: (crawler) => openMenu(crawler) },
  {
    name: 'sign-in prompt',
    show: ({ page }) => openBy(page, 'openSignInPrompt', {}),
  },
  {
    name: 'sign in',
    show: ({ page }) => openBy(page, 'openAuthModal', { mode: 'login' }),
  },
  { name: 'sign in by email', show: (crawler) => byEmail(crawler, 'login'), stays: true },
  { name: 'sign in, refused fields', show: sendBad },
  {
    name: 'sign up',
    show: ({ page }) => openBy(page, 'openAuthModal', { mode: 'register' }),
  },
  { name: 'sign up by email', show: (crawler) => byEmail(crawler, 'register'), stays: true },
  { name: 'sign up, refused fields', show: sendBad, stays: true },
  { name: 'sign up, code and toast', show: fillSignUp, stays: true },
  {
    name: 'sign up, wrong code',
    show: async ({ page }) => {
      await dialogOf(page).locator('input[autocomplete=one-time-code]').fill('000000')
      await expect(dialogOf(page).locator('[aria-invalid=true]')).toBeVisible()
    },
  },
]

const forgotten: Stop[] = [
  {
    name: 'forgotten password',
    stays: true,
    show: ({ page, number }) => openBy(page, 'openAuthModal', { mode: 'forgot', email: forgetfulMember(number) }),
  },
  {
    name: 'forgotten password, code',
    stays: true,
    show: async ({ page }) => {
      await submitOf(page).click()
      await expect(dialogOf(page).locator('input[autocomplete=one-time-code]')).toBeVisible()
    },
  },
  {
    name: 'forgotten password, refused fields',
    stays: true,
    show: async (crawler) => {
      await dialogOf(crawler.page).locator('input[autocomplete=one-time-code]').fill('000000')
      for (const password of await dialogOf(crawler.page).locator('input[type=password]').all())
        await password.fill('short')
      await sendBad(crawler)
    },
  },
  {
    name: 'forgotten password, done',
    show: async ({ page, site, number }) => {
      const code = await newestCode(site.inboxUrl, forgetfulMember(number))
      for (const password of await dialogOf(page).locator('input[type=password]').all())
        await password.fill('Zellige-2027')
      await dialogOf(page).locator('input[autocomplete=one-time-code]').fill(code)
      await submitOf(page).click()
      await expect(dialogOf(page).locator('input')).toHaveCount(0)
    },
  },
]

const code: Stop[] = [
  {
    name: 'external code page',
    show: async ({ page, site }) => {
      await page.goto(`${site.url}/auth/google-otp?email=sara.el-amrani%40example.ma&name=Sara`)
      await expect(page.locator('input[autocomplete=one-time-code]')).toBeVisible()
    },
  },
  {
    name: 'external code page, refused',
    show: async ({ page }) => {
      await page.locator('input[autocomplete=one-time-code]').fill('123')
      await page.keyboard.press('Enter')
      await expect(page.locator('[aria-invalid=true]')).toBeVisible()
    },
  },
]

/** What somebody meets who is not signed in. */
export const VISITOR: readonly Stop[] = [...sections, ...challenge, ...signIn, ...forgotten, ...code]
