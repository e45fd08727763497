import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { openApplication, PIXEL } from './challenge-steps.ts'
import { sampledDevices, createChallenge, createTeam, openApp, registerMember, word } from './steps.ts'

const localInput = (date: Date) =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

test('the admin creates a challenge, confirming with the password', async ({ browser }) => {
  const title = `Zellige ${word()} ${word()}`
  const { page, consoleErrors } = await openApp(browser, { as: ADMIN, at: '/#admin' })
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await page.getByRole('tab', { name: 'Challenges' }).click()
  await page.getByRole('button', { name: 'Create Challenge' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create Challenge' })
  await dialog.getByLabel('Title', { exact: true }).first().fill(title)
  await dialog.getByLabel('Description').fill('Draw the classic star patterns with code.')
  await dialog
    .getByLabel(/^Requirement/)
    .first()
    .fill('Five patterns')
  await dialog.getByLabel('Deadline').fill(localInput(new Date(Date.now() + 86_400_000)))
  await dialog.getByLabel('Points').fill('150')
  await dialog.getByRole('button', { name: 'Create Challenge' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Create Challenge' }).click()

  const password = page.getByRole('dialog', { name: 'Confirm with your password' })
  await password.getByLabel('Your password').fill('Not-the-1-password')
  await password.getByRole('button', { name: /create challenge|confirm/i }).click()
  await expect(password.getByText('The password you entered is incorrect.').first()).toBeVisible()
  await password.getByLabel('Your password').fill(ADMIN.password)
  await password.getByRole('button', { name: /create challenge|confirm/i }).click()
  await expect(page.getByText('Challenge created successfully').first()).toBeVisible()
  await expect(page.getByText(title).first()).toBeVisible()
  expect(consoleErrors.filter((complaint) => !complaint.includes('403'))).toEqual([])
})

for (const { device, viewport } of sampledDevices('apply and be judged'))
  test(`on ${device}: apply by link and by file, be judged, stand on the works and the leaderboard`, async ({
    browser,
  }) => {
    const [chef, rival] = [await registerMember('Sara El Amrani'), await registerMember('Omar Lahlou')]
    const [team, other] = [await createTeam(chef), await createTeam(rival)]
    const challenge = await createChallenge()

    const first = await openApp(browser, { viewport, as: chef })
    await openApplication(first.page, challenge.title, (text) => text)
    await first.page.getByRole('radio', { name: /^Link/ }).check()
    await first.page.getByLabel('Project link').fill('javascript:alert(1)')
    await first.page.getByRole('button', { name: 'Submit Application' }).click()
    await expect(first.page.getByText('Please enter a valid link (http or https)')).toBeVisible()
    await first.page.getByLabel('Project link').fill('https://github.com/atlas-lions/bus-times')
    await first.page.getByLabel('Notes').fill('First version')
    await first.page.getByRole('button', { name: 'Submit Application' }).click()
    await expect(first.page.getByText('Application submitted successfully!').first()).toBeVisible()

    const second = await openApp(browser, { viewport, as: rival })
    await openApplication(second.page, challenge.title, (text) => text)
    await second.page.getByRole('radio', { name: /^Upload/ }).check()
    await second.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'écran.png', mimeType: 'image/png', buffer: PIXEL })
    await expect(second.page.getByRole('dialog').getByText('écran.png')).toBeVisible()
    await second.page.getByRole('button', { name: 'Submit Application' }).click()
    await expect(second.page.getByText('Application submitted successfully!').first()).toBeVisible()

    const admin = await openApp(browser, { viewport, as: ADMIN, at: '/#admin' })
    await admin.page.getByRole('tab', { name: 'Submissions' }).click()
    await judge(admin.page, team.name, async () => {
      const dialog = admin.page.getByRole('dialog', { name: 'Evaluate Submission' })
      await dialog.getByLabel('Score').fill('87')
      await dialog.getByLabel('Feedback').fill('Clear and fast.')
      await dialog.getByRole('button', { name: 'Submit Evaluation' }).click()
    })
    await judge(admin.page, other.name, async () => {
      const dialog = admin.page.getByRole('dialog', { name: 'Evaluate Submission' })
      await dialog.getByRole('radio', { name: 'Rejected' }).check()
      await dialog.getByLabel('Feedback').fill('Please add the source.')
      await dialog.getByRole('button', { name: 'Submit Evaluation' }).click()
    })

    const visitor = await openApp(browser, { viewport })
    await expect(visitor.page.locator('#works').getByText(team.name).first()).toBeVisible()
    await expect(visitor.page.locator('#works').getByText(other.name)).toHaveCount(0)
    await expect(visitor.page.locator('#leaderboard').getByText(team.name).first()).toBeVisible()
    await expect(visitor.page.locator('#leaderboard').getByText('174').first()).toBeVisible()
    for (const { consoleErrors } of [first, second, admin, visitor]) expect(consoleErrors).toEqual([])
  })

type Page = Awaited<ReturnType<typeof openApp>>['page']

/** Opens the evaluation of a team's submission in the admin's list. */
async function judge(page: Page, team: string, decide: () => Promise<void>): Promise<void> {
  await page.getByLabel('Search submissions').fill(team)
  await page
    .locator('tr, li')
    .filter({ hasText: team })
    .getByRole('button', { name: /^Evaluate/ })
    .click()
  await decide()
  await expect(page.getByText('Submission evaluated successfully').first()).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
}
