import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { DESKTOP, createTeam, openApp, PHONE, registerMember, signIn, word } from './steps.ts'

for (const [device, viewport] of [
  ['a phone', PHONE],
  ['a wide screen', DESKTOP],
] as const)
  test(`on ${device}: found a team in three steps; a second member joins; visitors see the card only`, async ({
    browser,
  }) => {
    const chef = await registerMember('Sara El Amrani')
    const mate = await registerMember('يوسف بنعلي')
    const name = `Atlas ${word()} ${word()}`

    const { page, complaints } = await openApp(browser, { viewport })
    await signIn(page, chef)
    await page.getByRole('button', { name: 'Create New Team' }).click()
    const wizard = page.getByRole('dialog')
    await expect(wizard.getByLabel('Full Name')).toHaveValue(chef.name)
    await wizard.getByLabel('Phone').fill('0812345678')
    await wizard.getByLabel('Experience').selectOption({ index: 2 })
    await wizard.getByRole('button', { name: 'Next' }).click()
    await expect(wizard.getByText('Phone number must be in format 0612345678 or +212612345678')).toBeVisible()
    await wizard.getByLabel('Phone').fill('06 12 34 56 78')
    await wizard.getByRole('button', { name: 'Next' }).click()

    await wizard.getByLabel('Team Name').fill(name)
    await wizard.getByLabel('Description').fill('We build small, useful things and ship them every week.')
    await wizard.getByLabel('Team Experience Level').selectOption('Intermediate')
    await wizard.getByRole('button', { name: 'Next' }).click()

    await wizard.getByRole('button', { name: 'Create Team' }).click()
    await expect(wizard.getByText('Please select at least one role')).toBeVisible()
    await wizard.getByLabel('Backend Developer').check()
    await wizard.getByRole('button', { name: 'Create Team' }).click()
    await expect(page.getByText('Team Created!').first()).toBeVisible()
    await expect(wizard).toBeHidden()

    const other = await openApp(browser, { viewport })
    await signIn(other.page, mate)
    await other.page.getByLabel('Search teams').fill(name)
    await other.page.getByRole('button', { name, exact: true }).click()
    await other.page.getByRole('button', { name: 'Join This Team' }).click()
    const form = other.page.getByRole('dialog')
    await expect(form.getByLabel('Full Name')).toHaveValue(mate.name)
    await form.getByLabel('Role', { exact: true }).selectOption({ label: '⚙️ Backend Developer' })
    await form.getByLabel('Phone').fill('+212712345678')
    await form.getByLabel('Experience').selectOption('Beginner')
    await form.getByRole('button', { name: 'Join Team' }).click()
    await expect(other.page.getByText(/2 members/).first()).toBeVisible()
    expect(complaints).toEqual([])
    expect(other.complaints).toEqual([])

    const visitor = await openApp(browser, { viewport })
    await visitor.page.getByLabel('Search teams').fill(name)
    const card = visitor.page.getByRole('button', { name, exact: true })
    await expect(card).toBeVisible()
    await expect(visitor.page.getByText('We build small, useful things')).toBeHidden()
    await card.click()
    await expect(visitor.page.getByRole('dialog')).toBeVisible()
  })

test('an administrator founds and joins no team', async ({ browser }) => {
  const team = await createTeam(await registerMember())
  const { page } = await openApp(browser)
  await signIn(page, ADMIN)
  await page.getByRole('link', { name: 'Teams' }).first().click()
  await page.getByLabel('Search teams').fill(team.name)
  await page.getByRole('button', { name: team.name, exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Join This Team' })).toBeHidden()
})
