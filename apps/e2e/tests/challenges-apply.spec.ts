import { writeFile } from 'node:fs/promises'
import { expect, type Locator } from '@playwright/test'
import { test } from '../test.ts'
import {
  applyToChallenge,
  findChallenge,
  evaluateSubmission,
  newestSubmission,
  openApplication,
} from './challenge-steps.ts'
import { expectAccessible } from './accessibility.ts'
import { createChallenge, createTeam, registerMember } from './steps.ts'
import { joinTeam, VARIANTS, sampledVariants, openVariant } from './team-steps.ts'

for (const variant of sampledVariants('a chef applies with a link'))
  test(`on ${variant.name}: a chef applies with a link, is rejected, reads the feedback and applies again`, async ({
    browser,
  }) => {
    const chef = await registerMember()
    const [team, challenge] = [await createTeam(chef), await createChallenge()]
    const { page, t, consoleErrors } = await openVariant(browser, variant, { as: chef })
    const dialog = await openApplication(page, challenge.title, t)
    await dialog.getByLabel(t('Project link')).fill('https://soundcloud.com/atlas/gnawa')
    await expect(dialog.getByText(/SoundCloud · /)).toBeVisible()
    await dialog.getByLabel(t('Notes')).fill('First version')
    await expectAccessible(page)
    // After closing by mistake, the form restores its fields.
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await openApplication(page, challenge.title, t)
    await expect(dialog.getByText(t('We kept your draft.'))).toBeVisible()
    await expect(dialog.getByLabel(t('Notes'))).toHaveValue('First version')
    await dialog.getByRole('button', { name: t('Submit Application') }).click()
    await expect(page.getByText(t('Application submitted successfully!')).first()).toBeVisible()
    const card = await findChallenge(page, challenge.title, t)
    await expect(card.getByRole('button', { name: t('Already Applied') })).toHaveAttribute('aria-disabled', 'true')

    const section = page.locator('#challenges')
    await evaluateSubmission(await newestSubmission(team, chef), {
      status: 'rejected',
      feedback: 'Please add the source.',
    })
    await page.reload()
    await section.getByRole('tab', { name: t('My Applications') }).click()
    await expect(section.getByText('Please add the source.')).toBeVisible()
    await section.getByRole('button', { name: t('Re-apply') }).click()
    const reapplyDialog = page.getByRole('dialog', { name: t('Re-apply') })
    await expect(reapplyDialog.getByText('Please add the source.')).toBeVisible()
    await expect(reapplyDialog.getByRole('radio', { name: t('The same work') })).toBeChecked()
    await expectAccessible(page)
    await reapplyDialog.getByRole('button', { name: t('Re-apply') }).click()
    await expect(
      page.getByText(t('Submission status updated to pending. Waiting for admin review.')).first(),
    ).toBeVisible()
    await expect(section.getByText(t('Waiting for admin review.'))).toBeVisible()
    await expect(section.getByText('Please add the source.')).toHaveCount(0)

    // Rejected again: the next application has other work, and only the newest is shown.
    await evaluateSubmission(await newestSubmission(team, chef), { status: 'rejected', feedback: 'Still no source.' })
    await page.reload()
    const form = await openApplication(page, challenge.title, t)
    await expect(form.getByText('Still no source.')).toBeVisible()
    // The toast from before the reload is shown again. Under the pointer it would not expire.
    await page.mouse.move(0, 0)
    await expect(page.locator('.toast')).toHaveCount(0)
    await expectAccessible(page)
    await form.getByLabel(t('Project link')).fill('https://github.com/atlas-lions/gnawa')
    await form.getByRole('button', { name: t('Submit Application') }).click()
    await expect(page.getByText(t('Application submitted successfully!')).first()).toBeVisible()
    await section.getByRole('tab', { name: t('My Applications') }).click()
    await expect(section.getByRole('link', { name: /github\.com/ })).toBeVisible()
    await expect(section.getByText('Still no source.')).toHaveCount(0)
    await expect(section.getByText(team.name)).toHaveCount(1)
    expect(consoleErrors).toEqual([])
  })

/** Two megabytes with the signature of a PDF. */
const PDF = {
  name: 'تقرير.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2 * 1024 * 1024, 'x'), Buffer.from('\n%%EOF\n')]),
}

for (const variant of sampledVariants('upload'))
  test(`on ${variant.name}: an upload shows progress, is cancelled, fails, and succeeds`, async ({
    browser,
  }, testInfo) => {
    const chef = await registerMember()
    const [team, challenge] = [await createTeam(chef), await createChallenge()]
    const { page, t, consoleErrors } = await openVariant(browser, variant, { as: chef })
    const dialog = await openApplication(page, challenge.title, t)
    await dialog.getByRole('radio', { name: t('Upload') }).check()
    // By its path: sending ten megabytes to the browser as a text takes long on a busy machine.
    const largeFile = testInfo.outputPath('large.pdf')
    await writeFile(largeFile, Buffer.alloc(10_485_761))
    await dialog.locator('input[type=file]').setInputFiles(largeFile)
    await expect(dialog.getByText(t('The file is larger than {n} MB', { n: 10 }))).toBeVisible()
    await dialog.getByRole('button', { name: t('Remove file') }).click()
    await dialog.locator('input[type=file]').setInputFiles(PDF)
    await expect(dialog.getByText(PDF.name)).toBeVisible()
    await expect(dialog.getByText(/^2[.,]00\s/)).toBeVisible()

    const network = await page.context().newCDPSession(page)
    const uploadAt = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      })
    await uploadAt(100_000)
    const submit = dialog.getByRole('button', { name: t('Submit Application') })
    await submit.click()
    const progress = dialog.getByRole('progressbar')
    await expect
      .poll(() => progress.evaluate((bar: HTMLProgressElement) => bar.value), { timeout: 15_000 })
      .toBeGreaterThan(0.02)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t('Cancel upload') }).click()
    await expect(progress).toBeHidden()
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await uploadAt(-1)

    const alerts: string[] = []
    page.on('dialog', (alert) => {
      alerts.push(alert.message())
      void alert.accept()
    })
    await page.route('**/api/upload/single', (route) => route.abort(), { times: 1 })
    await submit.click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    expect(alerts).toHaveLength(1)
    await expect(dialog.getByRole('alert')).toHaveText(alerts[0] ?? '')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t('Try Again') }).click()
    await expect(page.getByText(t('Application submitted successfully!')).first()).toBeVisible()
    const section = page.locator('#challenges')
    await section.getByRole('tab', { name: t('My Applications') }).click()
    await expect(section.getByText(team.name)).toBeVisible()
    await expect(section.getByRole('link', { name: new RegExp(PDF.name) })).toContainText(t('PDF document'))
    expect(consoleErrors.filter((error) => !error.includes('ERR_FAILED'))).toEqual([])
  })

test('an upload longer than 10 seconds is not aborted while data is sent', async ({ browser }) => {
  const chef = await registerMember()
  const [, challenge] = [await createTeam(chef), await createChallenge()]
  const { page, t } = await openVariant(browser, VARIANTS[0], { as: chef })
  const dialog = await openApplication(page, challenge.title, t)
  await dialog.getByRole('radio', { name: t('Upload') }).check()
  await dialog.locator('input[type=file]').setInputFiles(PDF)
  const network = await page.context().newCDPSession(page)
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 160_000,
  })
  const startedAt = Date.now()
  await dialog.getByRole('button', { name: t('Submit Application') }).click()
  await expect(page.getByText(t('Application submitted successfully!')).first()).toBeVisible({ timeout: 40_000 })
  expect(Date.now() - startedAt).toBeGreaterThan(10_000)
})

for (const variant of sampledVariants('upload after the deadline'))
  test(`on ${variant.name}: a file is not uploaded after the deadline, and stays in the form`, async ({ browser }) => {
    const chef = await registerMember()
    const soon = new Date(Date.now() + 180_000).toISOString()
    const [, challenge] = [await createTeam(chef), await createChallenge({ deadline: soon })]
    const { page, t, consoleErrors } = await openVariant(browser, variant, { as: chef })
    const dialog = await openApplication(page, challenge.title, t)
    await dialog.getByRole('radio', { name: t('Upload') }).check()
    await dialog.locator('input[type=file]').setInputFiles(PDF)
    await dialog.getByLabel(t('Notes')).fill('Source inside')
    const postedUrls: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') postedUrls.push(request.url())
    })
    await page.clock.install()
    await page.clock.fastForward('04:00')
    await dialog.getByRole('button', { name: t('Submit Application') }).click()
    await expect(dialog.locator('form').getByRole('alert')).toHaveText(t('The deadline of this challenge has passed'))
    await expectAccessible(page)
    await expect(dialog.getByText(PDF.name)).toBeVisible()
    await expect(dialog.getByLabel(t('Notes'))).toHaveValue('Source inside')
    expect(postedUrls).toEqual([])
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('an application’s title'))
  test(`on ${variant.name}: an application’s title opens its challenge every time`, async ({ browser }) => {
    const chef = await registerMember()
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const [team, challenge] = [await createTeam(chef), await createChallenge({ deadline: tomorrow })]
    await applyToChallenge(chef, team, challenge)
    const { page, t, consoleErrors } = await openVariant(browser, variant, { as: chef })
    const section = page.locator('#challenges')
    const card = page.locator(`#challenge-${challenge.id}`)
    for (const follow of [(link: Locator) => link.click(), (link: Locator) => link.press('Enter')]) {
      await section.getByRole('tab', { name: t('My Applications') }).click()
      await follow(section.getByRole('link', { name: challenge.title }))
      await expect(card).toHaveClass(/highlight/)
      await expect(card).toBeInViewport()
    }
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('a member submits'))
  test(`on ${variant.name}: a member who is not the chef submits a project for a team given by its name`, async ({
    browser,
  }) => {
    const [chef, member] = [await registerMember(), await registerMember('Omar Lahlou')]
    const [team, challenge] = [await createTeam(chef), await createChallenge()]
    await joinTeam(team, member)
    const { page, t, consoleErrors } = await openVariant(browser, variant, { as: member })
    const card = await findChallenge(page, challenge.title, t)
    await card.getByRole('button', { name: t('Apply to {title}').replace('{title}', challenge.title) }).click()
    await expect(page.getByText(t('Chef Required')).first()).toBeVisible()
    await card.getByRole('button', { name: challenge.title, exact: true }).click()
    const details = page.getByRole('dialog', { name: challenge.title })
    await expectAccessible(page)
    await details.getByRole('button', { name: t('Submit Project') }).click()
    const dialog = page.getByRole('dialog', { name: t('Submit Project') })
    await expect(dialog.getByLabel(t('Team name'))).toHaveValue(team.name)
    await dialog.getByLabel(t('Team name')).fill('A team of others')
    await dialog.getByLabel(t('Project link')).fill('https://www.figma.com/design/1/tram')
    await dialog.getByRole('button', { name: t('Submit Project') }).click()
    await expect(dialog.getByText(t('Team not found')).first()).toBeVisible()
    await expectAccessible(page)
    await dialog.getByLabel(t('Team name')).fill(team.name.toUpperCase())
    await dialog.getByRole('button', { name: t('Submit Project') }).click()
    await expect(page.getByText(t('Application submitted successfully!')).first()).toBeVisible()
    const section = page.locator('#challenges')
    await section.getByRole('tab', { name: t('My Applications') }).click()
    await expect(section.getByRole('link', { name: /Figma/ })).toBeVisible()
    expect(consoleErrors).toEqual([])
  })
