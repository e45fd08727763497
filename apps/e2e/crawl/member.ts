import { expect } from '@playwright/test'
import { ask } from '../api.ts'
import { dialogOf, emit, openBy, press, type Crawler, sendBad, type Stop, submitOf } from './crawler.ts'
import { drawAll, openMenu } from './visitor.ts'

interface Named {
  id: string
  name: string
}

const nameOf = async ({ site, token }: Crawler): Promise<string> =>
  (await ask<{ user: Named }>(site, 'GET /users/profile', token)).user.name

const teamsOf = async ({ site }: Crawler): Promise<(Named & { ownerId: string; memberCount: number })[]> =>
  (await ask<{ teams: (Named & { ownerId: string; memberCount: number })[] }>(site, 'GET /teams?limit=100', null)).teams

/** Opens the team with this name. The member is chef of Atlas Lions. */
const openTeam =
  (name: string): Stop['show'] =>
  async (crawler) => {
    const team = (await teamsOf(crawler)).find((one) => one.name === name)
    if (!team) throw new Error(`The demo has no team ${name}`)
    await openBy(crawler.page, 'openTeam', { teamId: team.id })
    await expect(dialogOf(crawler.page).getByRole('heading', { level: 3 }).first()).toBeVisible()
  }

const chefAct =
  (name: string): Stop['show'] =>
  async (crawler) => {
    await openTeam('Atlas Lions')(crawler)
    await press(crawler, dialogOf(crawler.page).getByRole('button', { name: crawler.say(name), exact: true }))
  }

async function openApply(crawler: Crawler): Promise<void> {
  const apply = crawler.page.locator('#challenges li button:not(h3 button):not(:disabled):not([aria-disabled=true])')
  await press(crawler, apply.first())
}

const wizard: Stop[] = [
  {
    name: 'wizard, you',
    stays: true,
    show: ({ page }) => openBy(page, 'openCreateTeamModal'),
  },
  {
    name: 'wizard, you, refused fields',
    stays: true,
    show: async (crawler) => {
      await dialogOf(crawler.page).locator('input[type=tel]').fill('0812345678')
      await sendBad(crawler)
    },
  },
  {
    name: 'wizard, team',
    stays: true,
    show: async ({ page, say }) => {
      await dialogOf(page).locator('input[type=tel]').fill('0612345678')
      await dialogOf(page).getByLabel(say('Experience')).selectOption({ index: 2 })
      await submitOf(page).click()
      await expect(dialogOf(page).getByLabel(say('Team Name'))).toBeVisible()
    },
  },
  { name: 'wizard, team, refused fields', show: sendBad, stays: true },
  {
    name: 'wizard, roles',
    stays: true,
    show: async ({ page, say }) => {
      await dialogOf(page).getByLabel(say('Team Name')).fill('Abdelmoumen Software Craft and Tea')
      await dialogOf(page).locator('textarea').fill('We build small, useful things and ship them every week.')
      await dialogOf(page).getByLabel(say('Team Experience Level')).selectOption({ index: 2 })
      await submitOf(page).click()
      await expect(dialogOf(page).locator('input[type=checkbox]').first()).toBeVisible()
    },
  },
  {
    name: 'wizard, roles, refused',
    show: async ({ page, say }) => {
      await submitOf(page).click()
      await expect(dialogOf(page).getByText(say('Please select at least one role')).first()).toBeVisible()
    },
  },
]

const teams: Stop[] = [
  { name: 'own team', show: openTeam('Atlas Lions') },
  { name: 'own team, rename', show: chefAct('Rename') },
  { name: 'own team, edit', show: chefAct('Edit') },
  { name: 'own team, transfer', show: chefAct('Transfer Ownership') },
  { name: 'own team, deactivate', show: chefAct('Deactivate') },
  { name: 'another team', show: openTeam('Tanger Data'), stays: true },
  {
    name: 'another team, join',
    stays: true,
    show: async ({ page, say }) => {
      await dialogOf(page)
        .getByRole('button', { name: say('Join This Team') })
        .click()
      await expect(submitOf(page)).toBeVisible()
    },
  },
  { name: 'another team, join, refused fields', show: sendBad },
]

const applying: Stop[] = [
  { name: 'apply', show: openApply, stays: true },
  { name: 'apply, refused fields', show: sendBad, stays: true },
  {
    name: 'apply, upload',
    show: async ({ page }) => {
      await dialogOf(page).locator('input[type=radio]').last().check()
      await expect(dialogOf(page).locator('input[type=file]')).toBeAttached()
    },
  },
  {
    name: 'my applications',
    within: '#challenges',
    show: async ({ page, say }) => {
      const section = page.locator('#challenges')
      await section.getByRole('tab', { name: say('My Applications') }).click()
      await expect(section.getByRole('tabpanel').getByRole('heading').first()).toBeVisible()
    },
  },
]

const settings = (index: number): Stop['show'] => {
  return async ({ page }) => {
    await openBy(page, 'openAccount')
    await dialogOf(page).getByRole('tab').nth(index).click()
  }
}

const account: Stop[] = [
  { name: 'menu', show: async (crawler) => openMenu(crawler, await nameOf(crawler)) },
  { name: 'settings, profile', show: settings(0) },
  { name: 'settings, security', show: settings(1), stays: true },
  {
    name: 'settings, delete account',
    show: async ({ page, say }) => {
      const open = dialogOf(page).getByRole('button', { name: say('Delete account') })
      await open.first().click()
      await expect(
        dialogOf(page)
          .getByRole('button', { name: say('Delete account') })
          .last(),
      ).toBeVisible()
    },
  },
  { name: 'settings, devices', show: settings(2) },
  {
    name: 'dashboard',
    show: async ({ page }) => {
      await emit(page, 'navigateToDashboard')
      await expect(page.locator('main h1')).toBeVisible()
    },
  },
]

/** The states that a signed-in chef visits. */
export const MEMBER: readonly Stop[] = [{ name: 'page', show: drawAll }, ...wizard, ...teams, ...applying, ...account]
