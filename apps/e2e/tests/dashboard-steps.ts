import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { expectSettled } from '../crawl/crawler.ts'
import type { Translate } from '../crawl/texts.ts'
import type { TestUser } from './steps.ts'
import { openVariant, type Variant } from './team-steps.ts'

/** Opens the dashboard: as a visitor, or as a person, for whose data it waits. */
export async function openDashboard(browser: Browser, variant: Variant, person?: TestUser) {
  const opened = await openVariant(browser, variant, { at: '/#dashboard', ...(person && { as: person }) })
  if (person) await expect(opened.page.getByText(opened.t('Challenges completed'))).toBeVisible()
  return opened
}

export const panelOf = (page: Page, team: { name: string }) =>
  page.getByRole('region', { name: team.name, exact: true })
/** Opens the Members tab. */
export const showMembers = (panel: Locator, t: Translate) => panel.getByRole('tab', { name: t('Members') }).click()
export const attentionRegion = (page: Page, t: Translate) =>
  page.getByRole('region', { name: t('Needs your attention') })
/** Expands the list: challenges of other journeys may fill the five items it shows at first. */
export async function showAllItems(attention: Locator, t: Translate): Promise<void> {
  await expect(attention).toBeVisible()
  await expectSettled(attention.page())
  const all = attention.getByRole('button', { name: new RegExp(t('Show all {count}').replace('{count}', '.*')) })
  if (await all.isVisible()) await all.click()
}
/** Within two days, also by a clock that is a little ahead. */
export const inTwoDays = () => new Date(Date.now() + 2 * 86_400_000 - 60_000).toISOString()
