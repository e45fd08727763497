import { sampledForTier } from '@community/testing'
import { joinRequest, type Team } from '@community/testing/community'
import { type Browser, expect, type Page } from '@playwright/test'
import { translatorFor } from '../crawl/texts.ts'
import {
  callApi,
  DESKTOP,
  createTeam,
  send,
  openApp,
  type OpenOptions,
  PHONE,
  registerMember,
  type SignedInUser,
  type TestUser,
  randomWord,
} from './steps.ts'

/** Screens and reading directions that a journey is repeated in. */
export const VARIANTS = [
  { name: 'a phone, English', viewport: PHONE, language: 'en' },
  { name: 'a phone, Arabic', viewport: PHONE, language: 'ar' },
  { name: 'a wide screen, English', viewport: DESKTOP, language: 'en' },
  { name: 'a wide screen, Arabic', viewport: DESKTOP, language: 'ar' },
] as const
export type Variant = (typeof VARIANTS)[number]
/** The variants that a journey is repeated in: one of them in the quick tier. */
export const sampledVariants = (journey: string): Variant[] => sampledForTier(VARIANTS, 1, journey)

/** A page in this variant. */
export async function openVariant(
  browser: Browser,
  { viewport, language }: Pick<Variant, 'viewport' | 'language'>,
  options: OpenOptions<unknown> = {},
) {
  const opened = await openApp(browser, { viewport, locale: language === 'ar' ? 'ar-MA' : 'en-GB', ...options })
  await expect(opened.page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
  return { ...opened, t: translatorFor(language) }
}

/** Finds a team by name among the cards and opens it. */
export async function findTeam(page: Page, name: string, t: (id: string) => string): Promise<void> {
  await page.getByLabel(t('Search teams')).fill(name)
  await page.getByRole('button', { name, exact: true }).click()
}

/** Opens a user's page with one of their teams open. */
export async function openOwnTeam(
  browser: Browser,
  variant: Variant,
  person: Pick<TestUser, 'email' | 'password'>,
  team: { name: string },
) {
  const opened = await openVariant(browser, variant, { as: person })
  await findTeam(opened.page, team.name, opened.t)
  await expect(opened.page.getByRole('dialog', { name: team.name })).toBeVisible()
  return opened
}

/** Creates a team of a chef and two members, who joined in this order. */
export async function createTeamOfThree() {
  const [chef, member, other] = await Promise.all([
    registerMember('Sara El Amrani'),
    registerMember('Lina'),
    registerMember('Omar'),
  ])
  const team = await createTeam(chef, `Atlas ${randomWord()} ${randomWord()}`)
  for (const person of [member, other]) await joinTeam(team, person)
  return { chef, members: [member, other] as const, team }
}

/** Joins over REST, as the first role the team needs. */
export async function joinTeam(team: { id: string }, person: SignedInUser): Promise<void> {
  const { team: joinedTeam } = await callApi<{ team: Team }>(`GET /teams/${team.id}`, person.token)
  await send(joinRequest(joinedTeam, person, { name: person.name, email: person.email }))
}

/** Expects a visible toast with this text; the live region announces it within a longer text. */
export async function expectToast(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
}
