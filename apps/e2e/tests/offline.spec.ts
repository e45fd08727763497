import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { callApi, createTeam, openApp, PHONE, registerMember, randomWord, waitForNetwork } from './steps.ts'

const NETWORK_TEXT = 'Network error - please check your internet connection and ensure the backend server is running'
const OFFLINE_TEXT = 'You are offline. You can read what has already loaded, but you cannot make changes.'

test('offline: a banner appears, a rename fails with a network error, and succeeds once online', async ({
  browser,
}) => {
  const chef = await registerMember()
  const team = await createTeam(chef)
  const { page } = await openApp(browser, { as: chef })
  // One script renders the footer and the “Rename Team” dialog. It is loaded once the browser is idle, so wait for it before going offline.
  await expect(page.getByRole('contentinfo')).toBeAttached()
  await page.getByLabel('Search teams').fill(team.name)
  await page.getByRole('button', { name: team.name, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: team.name })
  await expect(dialog.getByRole('button', { name: 'Rename' })).toBeVisible()

  await page.context().setOffline(true)
  await expect(page.getByText(OFFLINE_TEXT)).toBeAttached()
  await dialog.getByRole('button', { name: 'Rename' }).click()
  const rename = page.getByRole('dialog', { name: 'Rename Team' })
  const name = `Rif ${randomWord()} ${randomWord()}`
  await rename.getByLabel('Team name').fill(name)
  await rename.getByRole('button', { name: 'Rename' }).click()
  await expect(rename.getByText(NETWORK_TEXT).first()).toBeVisible()
  await expect(rename.getByLabel('Team name')).toHaveValue(name)

  await page.context().setOffline(false)
  await expect(page.getByText(OFFLINE_TEXT)).toHaveCount(0)
  await waitForNetwork(page)
  // A successful rename reloads the page.
  const reloaded = page.waitForEvent('load')
  await rename.getByRole('button', { name: 'Rename' }).click()
  await reloaded
  await expect(page.getByText('Team Renamed').first()).toBeVisible()
  const { team: renamedTeam } = await callApi<{ team: { name: string } }>(`GET /teams/${team.id}`, chef.token)
  expect(renamedTeam.name).toBe(name)
})

test('offline on a phone: a visitor still sees the teams that were loaded', async ({ browser }) => {
  const chef = await registerMember()
  const team = await createTeam(chef)
  const { page } = await openApp(browser, { viewport: PHONE })
  await page.getByLabel('Search teams').fill(team.name)
  await expect(page.getByRole('button', { name: team.name, exact: true })).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByText(OFFLINE_TEXT)).toBeVisible()
  await expect(page.getByRole('button', { name: team.name, exact: true })).toBeVisible()
})
