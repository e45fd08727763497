import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { openApplication, PIXEL } from './challenge-steps.ts'
import { sampledDevices, createChallenge, createTeam, openApp, registerMember, randomWord } from './steps.ts'

const toDateTimeLocal = (date: Date) =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

test('the admin creates a challenge, confirming with the password', async ({ browser }) => {
  const title = `Zellige ${randomWord()} ${randomWord()}`
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
  await dialog.getByLabel('Deadline').fill(toDateTimeLocal(new Date(Date.now() + 86_400_000)))
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
  expect(consoleErrors).toEqual([])
})

for (const { device, viewport } of sampledDevices('two teams apply'))
  test(`on ${device}: two teams apply, by link and by file; the approved one appears in works and leaderboard`, async ({
    browser,
  }) => {
    const [linkChef, fileChef] = [await registerMember('Sara El Amrani'), await registerMember('Omar Lahlou')]
    const [team, fileTeam] = [await createTeam(linkChef), await createTeam(fileChef)]
    const challenge = await createChallenge()

    const linkSession = await openApp(browser, { viewport, as: linkChef })
    await openApplication(linkSession.page, challenge.title, (text) => text)
    await linkSession.page.getByRole('radio', { name: /^Link/ }).check()
    await linkSession.page.getByLabel('Project link').fill('javascript:alert(1)')
    await linkSession.page.getByRole('button', { name: 'Submit Application' }).click()
    await expect(linkSession.page.getByText('Please enter a valid link (http or https)')).toBeVisible()
    await linkSession.page.getByLabel('Project link').fill('https://github.com/atlas-lions/bus-times')
    await linkSession.page.getByLabel('Notes').fill('First version')
    await linkSession.page.getByRole('button', { name: 'Submit Application' }).click()
    await expect(linkSession.page.getByText('Application submitted successfully!').first()).toBeVisible()

    const fileSession = await openApp(browser, { viewport, as: fileChef })
    await openApplication(fileSession.page, challenge.title, (text) => text)
    await fileSession.page.getByRole('radio', { name: /^Upload/ }).check()
    await fileSession.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'écran.png', mimeType: 'image/png', buffer: PIXEL })
    await expect(fileSession.page.getByRole('dialog').getByText('écran.png')).toBeVisible()
    await fileSession.page.getByRole('button', { name: 'Submit Application' }).click()
    await expect(fileSession.page.getByText('Application submitted successfully!').first()).toBeVisible()

    const admin = await openApp(browser, { viewport, as: ADMIN, at: '/#admin' })
    await admin.page.getByRole('tab', { name: 'Submissions' }).click()
    await evaluate(admin.page, team.name, async () => {
      const dialog = admin.page.getByRole('dialog', { name: 'Evaluate Submission' })
      await dialog.getByLabel('Score').fill('87')
      await dialog.getByLabel('Feedback').fill('Clear and fast.')
      await dialog.getByRole('button', { name: 'Submit Evaluation' }).click()
    })
    await evaluate(admin.page, fileTeam.name, async () => {
      const dialog = admin.page.getByRole('dialog', { name: 'Evaluate Submission' })
      await dialog.getByRole('radio', { name: 'Rejected' }).check()
      await dialog.getByLabel('Feedback').fill('Please add the source.')
      await dialog.getByRole('button', { name: 'Submit Evaluation' }).click()
    })

    const visitor = await openApp(browser, { viewport })
    await expect(visitor.page.locator('#works').getByText(team.name).first()).toBeVisible()
    await expect(visitor.page.locator('#works').getByText(fileTeam.name)).toHaveCount(0)
    await expect(visitor.page.locator('#leaderboard').getByText(team.name).first()).toBeVisible()
    await expect(visitor.page.locator('#leaderboard').getByText('174').first()).toBeVisible() // 87 % of 200 points
    for (const { consoleErrors } of [linkSession, fileSession, admin, visitor]) expect(consoleErrors).toEqual([])
  })

type Page = Awaited<ReturnType<typeof openApp>>['page']

/** Evaluates a team's submission from the admin's list; `fillAndSubmit` fills the open dialog. */
async function evaluate(page: Page, teamName: string, fillAndSubmit: () => Promise<void>): Promise<void> {
  await page.getByLabel('Search submissions').fill(teamName)
  await page
    .locator('tr, li')
    .filter({ hasText: teamName })
    .getByRole('button', { name: /^Evaluate/ })
    .click()
  await fillAndSubmit()
  await expect(page.getByText('Submission evaluated successfully').first()).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
}
