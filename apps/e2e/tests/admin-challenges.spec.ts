import { expect } from '@playwright/test'
import { ADMIN } from '@community/testing/server'
import { test } from '../test.ts'
import { sampledAdminVariants, registerAdmin, openAdmin, searchIn } from './admin-steps.ts'
import { expectAccessible } from './accessibility.ts'
import { adminToken, callApi, createChallenge, randomWord } from './steps.ts'

interface Challenge {
  id: string
  deadline: string
  requirements: string[]
  resources: { title: string; url: string; type: string }[]
  points: number
  isActive: boolean
}

/** The value of a datetime-local control `minutes` from now; Morocco's clock is UTC. */
const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 16)

for (const variant of sampledAdminVariants('challenges')) {
  test(`admin challenges, ${variant.name}: creates, edits, deactivates and deletes a challenge`, async ({
    browser,
  }) => {
    const [admin, token] = await Promise.all([registerAdmin(), adminToken()])
    const { page, t, main, row, choose, dialog, confirmWithPassword, confirm, expectToast, consoleErrors } =
      await openAdmin(browser, variant, admin, 'Challenges')
    const title = `Tram ${randomWord()} ${randomWord()}`
    await main.getByRole('button', { name: t('Create Challenge') }).click()
    const form = dialog('Create Challenge')
    const submit = form.getByRole('button', { name: t('Create Challenge'), exact: true })
    await expect(form.getByLabel(t('Points'), { exact: true })).toHaveValue('100')
    await expect(form.getByLabel(t('Maximum submissions per team'))).toHaveValue('1')
    await submit.click()
    for (const text of ['Deadline is required', 'At least one requirement is needed'])
      await expect(form.getByText(t(text)).first()).toBeVisible()

    await form.getByLabel(t('Title'), { exact: true }).fill(` ${title} `)
    await form.getByLabel(t('Description'), { exact: true }).fill('A page that works in a tunnel.')
    await form.getByLabel(t('Requirement {number}', { number: 1 }), { exact: true }).fill('Works offline')
    await page.keyboard.press('Enter')
    await expect(form.getByLabel(t('Requirement {number}', { number: 2 }), { exact: true })).toBeFocused()
    await page.keyboard.type('Arabic and French')
    await form.getByRole('button', { name: t('Add requirement') }).click()
    await form.getByLabel(t('Deadline'), { exact: true }).fill(inMinutes(1))
    await form.getByLabel(t('Points'), { exact: true }).fill('250')
    await form.getByRole('button', { name: t('Add resource') }).click()
    await form.getByLabel(t('Resource {number} title', { number: 1 })).fill('Open data')
    await form.getByLabel(t('Resource {number} URL', { number: 1 })).fill('https://data.gov.ma/lines')
    await form.getByLabel(t('Resource {number} type', { number: 1 })).selectOption({ label: t('Tool') })
    await form.getByRole('button', { name: t('Add resource') }).click()
    await form.getByLabel(t('Resource {number} title', { number: 2 })).fill('Without an address')
    await submit.click()
    await expect(form.getByText(t('Deadline must be at least {n} minutes from now', { n: 2 })).first()).toBeVisible()
    await expectToast('Invalid Deadline')
    const deadline = inMinutes(3 * 24 * 60)
    await form.getByLabel(t('Deadline'), { exact: true }).fill(deadline)
    const zone = t('In your time zone: {zone}, {offset}', { zone: 'Africa/Casablanca', offset: 'UTC+00:00' })
    await expect(form.getByText(zone)).toBeVisible()
    await expectAccessible(page)
    await submit.click()
    await confirm('Create Challenge', 'Create Challenge')
    await confirmWithPassword('Confirm with your password', 'Create Challenge')
    await expectToast('Challenge created successfully')
    await expect(form).toBeHidden()
    await expect(main.getByRole('button', { name: t('Create Challenge') })).toBeFocused()

    await searchIn(main.getByLabel(t('Search challenges')), title)
    const challengeRow = row(title)
    await expect(challengeRow).toHaveCount(1)
    await expect(challengeRow).toContainText('250')
    const fetchChallenge = async () =>
      (await callApi<{ challenges: Challenge[] }>(`GET /admin/challenges?search=${encodeURIComponent(title)}`, token))
        .challenges[0]
    expect(await fetchChallenge()).toMatchObject({
      deadline: `${deadline}:00.000Z`,
      requirements: ['Works offline', 'Arabic and French'],
      resources: [{ title: 'Open data', url: 'https://data.gov.ma/lines', type: 'tool' }],
    })
    await expectAccessible(page)

    await challengeRow.getByRole('button', { name: t('Edit') }).click()
    const edit = dialog('Edit Challenge')
    await expect(edit.getByLabel(t('Deadline'), { exact: true })).toHaveValue(deadline)
    await edit
      .getByRole('button', {
        name: t('Remove {what}', { what: t('Requirement {number}', { number: 1 }) }),
        exact: true,
      })
      .click()
    await edit.getByRole('button', { name: t('Remove resource {number}', { number: 1 }) }).click()
    await edit.getByLabel(t('Points'), { exact: true }).fill('300')
    await edit.getByRole('button', { name: t('Save changes') }).click()
    await confirmWithPassword('Confirm with your password', 'Save changes')
    await expectToast('Challenge updated successfully')
    await expect(challengeRow).toContainText('300')
    expect(await fetchChallenge()).toMatchObject({ requirements: ['Arabic and French'], resources: [], points: 300 })

    await choose(title, 'Deactivate')
    await confirmWithPassword('Deactivate Challenge', 'Deactivate')
    await expectToast('Challenge deactivated successfully')
    await expect(challengeRow.getByText(t('Inactive'), { exact: true })).toBeVisible()
    await choose(title, 'Activate')
    await confirmWithPassword('Activate Challenge', 'Activate')
    await expectToast('Challenge activated successfully')
    await expect(challengeRow.getByText(t('Active'), { exact: true })).toBeVisible()

    await choose(title, 'Delete')
    await confirm('Delete Challenge', 'Delete Challenge')
    await confirmWithPassword('Confirm with your password', 'Delete Challenge')
    await expectToast('Challenge deleted successfully')
    await expect(main.getByText(t('No Challenges Found'))).toBeVisible()
    expect(await fetchChallenge()).toBeUndefined()
    expect(consoleErrors).toEqual([])
  })

  test(`admin challenges, ${variant.name}: filters and sorts on the server`, async ({ browser }) => {
    const tag = randomWord()
    const [admin] = await Promise.all([
      registerAdmin(),
      createChallenge({ title: `Kasbah ${tag}`, category: 'DevOps', difficulty: 'Expert' }),
      createChallenge({ title: `Medina ${tag}`, category: 'Design', isActive: false, points: 1000 }),
    ])
    const { t, main, row } = await openAdmin(browser, variant, admin, 'Challenges')
    await main.getByLabel(t('Search challenges')).fill(tag)
    await expect(row(tag)).toHaveCount(2)
    await main.getByLabel(t('Sort by')).selectOption({ label: t('Most points') })
    await expect(row(tag).first()).toContainText('Medina')
    await main.getByLabel(t('Category')).selectOption({ label: t('DevOps') })
    await expect(row(tag)).toHaveCount(1)
    await expect(row(tag)).toContainText('Kasbah')
    await main.getByLabel(t('Category')).selectOption({ label: t('All categories') })
    await main.getByLabel(t('Status')).selectOption({ label: t('Inactive') })
    await expect(row(tag)).toHaveCount(1)
    await expect(row(tag)).toContainText('Medina')
    await main.getByLabel(t('Difficulty')).selectOption({ label: t('Expert') })
    await expect(main.getByText(t('No Challenges Found'))).toBeVisible()
    await main.getByRole('button', { name: t('Clear filters') }).click()
    await expect(main.getByLabel(t('Search challenges'))).toHaveValue('')
    await expect(main.getByRole('button', { name: t('Edit') }).first()).toBeVisible()
  })

  test(`admin challenges, ${variant.name}: an edit keeps the concurrent changes of another administrator`, async ({
    browser,
  }) => {
    const [admin, token, { id, title }] = await Promise.all([registerAdmin(), adminToken(), createChallenge()])
    const { t, main, row, dialog, confirmWithPassword, expectToast } = await openAdmin(
      browser,
      variant,
      admin,
      'Challenges',
    )
    await main.getByLabel(t('Search challenges')).fill(title)
    await row(title)
      .getByRole('button', { name: t('Edit') })
      .click()
    const edit = dialog('Edit Challenge')
    await edit.getByLabel(t('Points'), { exact: true }).fill('300')
    const { password } = ADMIN
    await callApi(`PUT /admin/challenges/${id}`, token, { requirements: ['By a colleague'], password })
    await callApi(`POST /admin/challenges/${id}/deactivate`, token, { password })
    await edit.getByRole('button', { name: t('Save changes') }).click()
    await confirmWithPassword('Confirm with your password', 'Save changes')
    await expectToast('Challenge updated successfully')
    const { challenge } = await callApi<{ challenge: Challenge }>(`GET /challenges/${id}`, token)
    expect(challenge).toMatchObject({ points: 300, requirements: ['By a colleague'], isActive: false })
  })

  test(`admin challenges, ${variant.name}: a failed refresh shows an error and keeps the list`, async ({ browser }) => {
    const [admin, { title }] = await Promise.all([registerAdmin(), createChallenge()])
    const { page, t, main, row, expectToast } = await openAdmin(browser, variant, admin, 'Challenges', {
      // An event would refresh the list once more, and show the error again after it was closed.
      prepare: (newPage) => newPage.route('**/api/events', (route) => route.abort()),
    })
    await searchIn(main.getByLabel(t('Search challenges')), title)
    await expect(row(title)).toHaveCount(1)
    await page.route('**/trpc/**', (route) =>
      route.fulfill({ status: 504, contentType: 'text/plain', body: 'Upstream is asleep' }),
    )
    for (const time of ['first', 'second']) {
      await page.getByRole('button', { name: t('Refresh') }).click()
      await expectToast('Data Error')
      await expect(page.getByText('Upstream is asleep'), time).toHaveCount(1)
      await expect(row(title)).toHaveCount(1)
      await page.getByRole('button', { name: t('Close'), exact: true }).click()
      await expect(page.getByText('Upstream is asleep')).toHaveCount(0)
    }
    await expectAccessible(page)
  })
}
