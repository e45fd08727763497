import { expect } from '@playwright/test'
import { sendRequest } from '../api.ts'
import {
  dialogOf,
  emit,
  expectSettled,
  buttonIn,
  openAccountSettings,
  openByButton,
  openByEvent,
  openStop,
  stopIn,
  openOverlay,
  openTeamCard,
  submitEmptyForm,
  submitInvalid,
  type Step,
  stop,
  submitOf,
} from './crawler.ts'
import { renderAllSections, openMenu } from './visitor.ts'

/** Opens the team with this name. The member is chef of Atlas Lions. */
const openTeam =
  (name: string): Step =>
  async (crawler) => {
    await openTeamCard(crawler, name)
    await expect(dialogOf(crawler.page).getByRole('heading', { level: 3 }).first()).toBeVisible()
  }

const openChefDialog =
  (name: string): Step =>
  async (crawler) => {
    await openTeam('Atlas Lions')(crawler)
    await openOverlay(crawler, buttonIn(dialogOf(crawler.page), crawler.t, name))
  }

const openApplicationForm: Step = (crawler) => {
  const apply = crawler.page.locator('#challenges li button:not(h3 button):not(:disabled):not([aria-disabled=true])')
  return openOverlay(crawler, apply.first())
}

const wizard = [
  openStop('wizard, you', ({ page }) => openByEvent(page, 'openCreateTeamModal')),
  openStop('wizard, you, invalid fields', async (crawler) => {
    await dialogOf(crawler.page).locator('input[type=tel]').fill('0812345678')
    await submitInvalid(crawler)
  }),
  openStop('wizard, team', async ({ page, t }) => {
    await dialogOf(page).locator('input[type=tel]').fill('0612345678')
    await dialogOf(page).getByLabel(t('Experience')).selectOption({ index: 2 })
    await submitOf(page).click()
    await expect(dialogOf(page).getByLabel(t('Team name'))).toBeVisible()
  }),
  openStop('wizard, team, invalid fields', submitInvalid),
  openStop('wizard, roles', async ({ page, t }) => {
    await dialogOf(page).getByLabel(t('Team name')).fill('Abdelmoumen Software Craft and Tea')
    await dialogOf(page).locator('textarea').fill('We build small, useful things and ship them every week.')
    await dialogOf(page).getByLabel(t('Team experience level')).selectOption({ index: 2 })
    await submitOf(page).click()
    await expect(dialogOf(page).locator('input[type=checkbox]').first()).toBeVisible()
  }),
  stop('wizard, roles, none chosen', async ({ page, t }) => {
    await submitOf(page).click()
    await expect(dialogOf(page).getByText(t('Please select at least one role')).first()).toBeVisible()
  }),
]

const teams = [
  stop('own team', openTeam('Atlas Lions')),
  stop('own team, rename', openChefDialog('Rename')),
  stop('own team, edit', openChefDialog('Edit')),
  stop('own team, transfer', openChefDialog('Transfer Ownership')),
  stop('own team, deactivate', openChefDialog('Deactivate')),
  openStop('another team', openTeam('Tanger Data')),
  openStop('another team, join', async ({ page, t }) => {
    await buttonIn(dialogOf(page), t, 'Join This Team').click()
    await expect(submitOf(page)).toBeVisible()
  }),
  stop('another team, join, invalid fields', submitInvalid),
]

const applications = [
  openStop('apply', openApplicationForm),
  openStop('apply, invalid fields', submitInvalid),
  stop('apply, upload', async ({ page }) => {
    await dialogOf(page).locator('input[type=radio]').last().check()
    await expect(dialogOf(page).locator('input[type=file]')).toBeAttached()
  }),
  stopIn('#challenges', 'my applications', async ({ page, t }) => {
    const section = page.locator('#challenges')
    await section.getByRole('tab', { name: t('My Applications') }).click()
    await expect(section.getByRole('tabpanel').getByRole('heading').first()).toBeVisible()
  }),
]

const openSettingsTab =
  (index: number): Step =>
  async ({ page, t }) => {
    await expectSettled(page)
    if (!(await dialogOf(page).isVisible())) await openAccountSettings(page, t)
    await dialogOf(page).getByRole('tab').nth(index).click()
  }

const account = [
  stop('menu', async (crawler) => {
    const { user } = await sendRequest<{ user: { name: string } }>(crawler.site, 'GET /users/profile', crawler.token)
    await openMenu(crawler, user.name)
  }),
  stop('settings, profile', openSettingsTab(0)),
  openStop('settings, security', openSettingsTab(1)),
  stop('settings, delete account', async ({ page, t }) => {
    const buttons = buttonIn(dialogOf(page), t, 'Delete account')
    await buttons.first().click()
    await expect(buttons.last()).toBeVisible()
  }),
  stop('settings, notifications', openSettingsTab(2)),
  openStop('settings, devices', openSettingsTab(3)),
  openStop('settings, access tokens', openSettingsTab(4)),
  stop('settings, access tokens, invalid fields', submitEmptyForm('New access token')),
  stop('dashboard', async ({ page }) => {
    await emit(page, 'navigateToDashboard')
    await expect(page.locator('main h1')).toBeVisible()
  }),
  openStop('webhooks', openByButton('main', 'Webhooks')),
  stop('webhooks, invalid fields', submitEmptyForm('New webhook')),
]

const notifications = [
  stop('notifications, panel', openByButton('header', 'Notifications')),
  stop('notifications', async ({ page, t }) => {
    await page.evaluate(() => window.location.assign('#notifications'))
    await expect(page.getByRole('heading', { level: 1, name: t('Notifications') })).toBeVisible()
  }),
]

/** The stops of a signed-in chef. */
export const MEMBER_STOPS = [
  stop('page', renderAllSections),
  ...wizard,
  ...teams,
  ...applications,
  ...account,
  ...notifications,
]
