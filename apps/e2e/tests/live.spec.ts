import { expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { openAdmin, registerAdmin, sampledAdminVariants } from './admin-steps.ts'
import { applyToChallenge } from './challenge-steps.ts'
import { openDashboard, panelOf } from './dashboard-steps.ts'
import { createChallenge, createTeam, randomWord, registerMember, waitForEventStream } from './steps.ts'
import { joinTeam, openVariant, VARIANTS } from './team-steps.ts'

/** Waits until the page gets changes by the event stream, and marks it: a reload would remove the mark. */
async function withLiveChanges<Opened extends { page: Page }>(opening: Promise<Opened>): Promise<Opened> {
  const opened = await opening
  const { page } = opened
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  await waitForEventStream(page)
  return opened
}
const isSamePage = ({ page }: { page: Page }) => page.evaluate(() => 'isSamePage' in window)

const [desktop] = VARIANTS.filter(({ name }) => name === 'a wide screen, English')
const [adminVariant] = sampledAdminVariants('live')
if (!desktop || !adminVariant) throw new Error('A variant is missing')

test('work, its verdict, points and a taken seat show in other people’s browsers without a reload', async ({
  browser,
}) => {
  const [admin, chef, newcomer, stranger] = await Promise.all([
    registerAdmin(`Idriss ${randomWord()}`),
    registerMember('Sara El Amrani'),
    registerMember('Lina'),
    registerMember('Omar'),
  ])
  const team = await createTeam(chef, undefined, { maxMembers: 2 })
  const challenge = await createChallenge()
  const [chefView, adminView, visitorView, strangerView] = await Promise.all([
    withLiveChanges(openDashboard(browser, desktop, chef)),
    withLiveChanges(openAdmin(browser, adminVariant, admin, 'Submissions')),
    withLiveChanges(openVariant(browser, desktop, { at: '/#leaderboard' })),
    withLiveChanges(openVariant(browser, desktop, { at: '/#teams', as: stranger })),
  ])

  await applyToChallenge(chef, team, challenge)
  const { row, dialog, t: tAdmin } = adminView
  await expect(row(team.name)).toBeVisible()
  await row(team.name)
    .getByRole('button', { name: tAdmin('Evaluate') })
    .click()
  const evaluation = dialog('Evaluate Submission')
  await evaluation.getByLabel(tAdmin('Score'), { exact: true }).fill('92')
  await evaluation.locator('button[type=submit]').click()

  const panel = panelOf(chefView.page, team)
  await expect(panel.getByText('92/100')).toBeVisible()
  await expect(visitorView.page.locator('#leaderboard').getByText(team.name).first()).toBeVisible()
  await expect(visitorView.page.locator('#leaderboard').getByText('184').first()).toBeVisible()

  const card = strangerView.page.getByRole('article', { name: team.name })
  await expect(card.getByText('1 member / 2')).toBeVisible()
  await joinTeam(team, newcomer)
  await expect(card.getByText('2 members / 2')).toBeVisible()

  const pages = [chefView, adminView, visitorView, strangerView]
  expect(await Promise.all(pages.map(isSamePage))).toEqual([true, true, true, true])
  expect(pages.flatMap(({ consoleErrors }) => consoleErrors)).toEqual([])
})
