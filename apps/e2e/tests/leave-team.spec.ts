import { type Browser, expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { createTeam, holdRequests, registerMember, type SignedInUser, url, randomWord } from './steps.ts'
import { joinTeam, VARIANTS, openVariant, createTeamOfThree } from './team-steps.ts'

const WIDE = VARIANTS[2]
const PHONE = VARIANTS[0]

async function openDashboard(browser: Browser, person: SignedInUser, variant: (typeof VARIANTS)[number] = WIDE) {
  return openVariant(browser, variant, { as: person, at: '/#dashboard' })
}

const question = (page: Page) => page.getByRole('alertdialog')
const leaveButton = (page: Page, team: { name: string }) =>
  page.getByRole('region', { name: team.name }).getByRole('button', { name: 'Leave Team' })

/** Leaves the team and holds back the response to the reload that follows. */
async function leaveHoldingReload(page: Page, team: { name: string }): Promise<() => void> {
  const release = await holdRequests(page, `${url}/`)
  const request = page.waitForRequest(`${url}/`)
  await leaveButton(page, team).click()
  // Otherwise `click` would wait for the navigation, which is held back.
  await question(page).getByRole('button', { name: 'Leave Team' }).click({ noWaitAfter: true })
  await request
  return release
}

test('the page is inert between leaving a team and the reload', async ({ browser }) => {
  const { members, team } = await createTeamOfThree()
  const { page, consoleErrors } = await openDashboard(browser, members[0])
  const settings = page.getByRole('button', { name: 'Account settings' })
  const box = await settings.boundingBox()
  if (!box) throw new Error('The button is not drawn')
  await settings.evaluate((button) =>
    button.addEventListener('click', () => sessionStorage.setItem('pressed', 'before the reload')),
  )
  const reloaded = page.waitForEvent('load')
  const reload = await leaveHoldingReload(page, team)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  reload()
  await reloaded
  await expect(page.getByText('No Teams Yet')).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem('pressed'))).toBeNull()
  await settings.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(consoleErrors).toEqual([])
})

test('a team is gone even if a navigation cancels the reload after leaving it', async ({ browser }) => {
  const { members, team } = await createTeamOfThree()
  const { page, consoleErrors } = await openDashboard(browser, members[0])
  await leaveHoldingReload(page, team)
  await page.goto('/#dashboard')
  await expect(page.getByText('No Teams Yet')).toBeVisible()
  await page.getByRole('button', { name: 'Browse teams' }).click()
  await expect(page.locator('#teams')).toBeInViewport()
  expect(consoleErrors).toEqual([])
})

test('a team can be left even if Leave is pressed repeatedly before the confirmation appears', async ({ browser }) => {
  const { members, team } = await createTeamOfThree()
  const { page, consoleErrors } = await openDashboard(browser, members[0])
  const release = await holdRequests(page, '**/assets/later-*.js')
  await page.reload()
  const leave = leaveButton(page, team)
  const chunkLoaded = page.waitForResponse(/assets\/own-team-action-.*\.js/)
  await leave.click()
  await chunkLoaded
  for (let press = 0; press < 3; press++) await leave.click()
  release()
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(question(page)).toHaveCount(0)
  await leave.click()
  await expect(question(page)).toBeVisible()
  expect(consoleErrors).toEqual([])
})

/** The ways to leave: whether the user is chef, the number of other members, and the button. */
const WAYS = [
  { name: 'a member leaves', isChef: false, others: 1, press: 'Leave Team' },
  { name: 'a chef leaves', isChef: true, others: 1, press: 'Leave as Chef' },
  { name: 'the last member leaves', isChef: true, others: 0, press: 'Leave as Chef' },
  { name: 'a chef of two leaves the team', isChef: true, others: 1, press: 'Remove Member' },
  { name: 'a chef of three leaves the team', isChef: true, others: 2, press: 'Remove Member' },
] as const
const CONDITIONS = [
  { name: 'at ease', cpu: 1, latency: 0, variant: WIDE },
  { name: 'a slow processor', cpu: 6, latency: 0, variant: WIDE },
  { name: 'a slow network', cpu: 1, latency: 300, variant: PHONE },
  { name: 'a slow phone', cpu: 4, latency: 300, variant: PHONE },
] as const
const ROUNDS = 4

async function slowDown(page: Page, { cpu, latency }: (typeof CONDITIONS)[number]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  const speed = latency === 0 ? -1 : 100_000
  await devtools.send('Network.enable')
  const conditions = { offline: false, latency, downloadThroughput: speed, uploadThroughput: speed }
  await devtools.send('Network.emulateNetworkConditions', conditions)
}

for (const condition of CONDITIONS)
  test(`leaving a team and removing oneself repeatedly, ${condition.name}`, { tag: '@full' }, async ({ browser }) => {
    test.setTimeout(600_000)
    const [me, ...others] = await Promise.all([registerMember('Sara'), registerMember('Lina'), registerMember('Omar')])
    const { page, consoleErrors } = await openDashboard(browser, me, condition.variant)
    await slowDown(page, condition)
    for (const way of Array.from({ length: ROUNDS }, () => WAYS).flat())
      await test.step(way.name, async () => {
        const team = await createTeam(way.isChef ? me : others[0], `Rif ${randomWord()} ${randomWord()}`)
        for (const member of way.isChef ? others.slice(0, way.others) : [me]) await joinTeam(team, member)
        await page.reload()
        const panel = page.getByRole('region', { name: team.name })
        if (way.press === 'Remove Member') await panel.getByRole('tab', { name: 'Members' }).click()
        const opener = panel.getByRole('button', {
          name: way.press === 'Remove Member' ? `${way.press} ${me.name}` : way.press,
        })
        await opener.click()
        const dialog = page.locator('[role=alertdialog], [role=dialog]')
        await dialog.getByRole('button', { name: 'Cancel' }).click()
        await opener.click()
        const reloaded = page.waitForEvent('load')
        await dialog.getByRole('button', { name: way.press }).click()
        await reloaded
        await expect(page.getByText('No Teams Yet')).toBeVisible()
      })
    expect(consoleErrors).toEqual([])
  })
