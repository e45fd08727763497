import { sampledForTier, validInput } from '@community/testing'
import { type Browser, expect, type Page } from '@playwright/test'
import { type Say, sayIn } from '../crawl/texts.ts'
import {
  call,
  DESKTOP,
  createTeam,
  openApp,
  type Opening,
  PHONE,
  registerMember,
  type SignedInPerson,
  type Someone,
  word,
} from './steps.ts'

/** Screens and reading directions that a journey is repeated in. */
export const LOOKS = [
  { name: 'a phone, English', viewport: PHONE, language: 'en' },
  { name: 'a phone, Arabic', viewport: PHONE, language: 'ar' },
  { name: 'a wide screen, English', viewport: DESKTOP, language: 'en' },
  { name: 'a wide screen, Arabic', viewport: DESKTOP, language: 'ar' },
] as const
export type Look = (typeof LOOKS)[number]
/** The looks that a journey is repeated in: one of them in the quick tier. */
export const looksOf = (journey: string): Look[] => sampledForTier(LOOKS, 1, journey)

export const inLook = ({ language }: Look): Say => sayIn(language)

/** A page in this look. */
export async function openIn(browser: Browser, look: Look, options: Opening<unknown> = {}) {
  const { viewport, language } = look
  const opened = await openApp(browser, { viewport, locale: language === 'ar' ? 'ar-MA' : 'en-GB', ...options })
  await expect(opened.page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
  return { ...opened, say: inLook(look) }
}

/** Finds a team by its name among the cards, and opens it. */
export async function findTeam(page: Page, name: string, say: (id: string) => string): Promise<void> {
  await page.getByLabel(say('Search teams')).fill(name)
  await page.getByRole('button', { name, exact: true }).click()
}

/** Somebody's page with one of their teams open. */
export async function openOwn(
  browser: Browser,
  look: Look,
  person: Pick<Someone, 'email' | 'password'>,
  team: { name: string },
) {
  const opened = await openIn(browser, look, { as: person })
  await findTeam(opened.page, team.name, opened.say)
  await expect(opened.page.getByRole('dialog', { name: team.name })).toBeVisible()
  return opened
}

/** A team of a chef and two mates, the first of whom joined before the second. */
export async function createTeamOfThree() {
  const [chef, mate, other] = await Promise.all([
    registerMember('Sara El Amrani'),
    registerMember('Lina'),
    registerMember('Omar'),
  ])
  const team = await createTeam(chef, `Atlas ${word()} ${word()}`)
  for (const one of [mate, other]) await joinTeam(team, one)
  return { chef, mates: [mate, other] as const, team }
}

/** Joins over REST, as the first role the team needs. */
export async function joinTeam(team: { id: string }, person: SignedInPerson): Promise<void> {
  const { team: whole } = await call<{ team: { rolesNeeded: { id: string }[] } }>(`GET /teams/${team.id}`, person.token)
  const { id, ...input } = validInput('teams.join', {
    id: team.id,
    name: person.name,
    email: person.email,
    role: { id: whole.rolesNeeded[0]?.id ?? '' },
  })
  await call(`POST /teams/${id}/join`, person.token, input)
}

/** A toast that says so; it is also read out, in words of its own around it. */
export async function expectToast(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
}
