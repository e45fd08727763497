import { expect } from '@playwright/test'
import { dialogOf } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { button, chooseOption, goToSection, press, typeInto } from './keyboard-steps.ts'
import { callApi, createTeam, openApp, registerMember, randomWord } from './steps.ts'
import { expectToast, joinTeam } from './team-steps.ts'

test('a member creates a team with the wizard', async ({ browser }) => {
  const chef = await registerMember()
  const name = `Tuiles ${randomWord()} ${randomWord()}`
  const { page } = await openApp(browser, { as: chef })
  const wizard = page.getByRole('dialog')
  await goToSection(page, 'Teams')
  await press(page, button(page, 'Create New Team'))
  // The wizard loads on demand: an earlier Escape would close nothing.
  await expect(wizard).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(wizard).toBeHidden()
  await expect(button(page, 'Create New Team')).toBeFocused()
  await page.keyboard.press('Enter')
  await typeInto(page, wizard.getByLabel('Phone'), '0612345678')
  await chooseOption(page, wizard.getByLabel('Experience'), 'Beginner')
  await page.keyboard.press('Tab')
  await press(page, button(wizard, 'Next'))
  await expect(wizard.getByRole('heading', { name: 'Team details' })).toBeFocused()
  await press(page, button(wizard, 'Next'))
  await expect(wizard.getByLabel('Team name')).toBeFocused()
  await page.keyboard.type(name)
  await typeInto(page, wizard.getByLabel('Description'), 'We build small, useful things and ship them.')
  await chooseOption(page, wizard.getByLabel('Team experience level'), 'Intermediate')
  await press(page, button(wizard, 'Next'))
  await press(page, wizard.getByLabel('Backend Developer'), 'Space')
  await press(page, button(wizard, 'Create Team'))
  await expectToast(page, 'Team Created!')
})

test('a member joins a team and leaves it', async ({ browser }) => {
  const [chef, member] = await Promise.all([registerMember('Sara El Amrani'), registerMember('Lina')])
  const team = await createTeam(chef)
  const { page } = await openApp(browser, { as: member })
  await goToSection(page, 'Teams')
  await typeInto(page, page.getByLabel('Search teams'), team.name)
  await press(page, button(page, team.name))
  const dialog = page.getByRole('dialog')
  await press(page, button(dialog, 'Join This Team'))
  await expect(dialog.getByLabel('Role', { exact: true })).toBeFocused()
  await press(page, button(dialog, 'Back'))
  await expect(dialog, 'because it contained the button').toBeFocused()
  await press(page, button(dialog, 'Join This Team'))
  await typeInto(page, dialog.getByLabel('Phone'), '0612345678')
  await chooseOption(page, dialog.getByLabel('Experience'), 'Beginner')
  await press(page, button(dialog, 'Join Team'))
  await expect(dialog.getByText(/2 members/).first()).toBeVisible()
  await expect(dialog).toBeFocused()
  await press(page, button(dialog, 'Leave Team'))
  await press(page, button(page.getByRole('alertdialog'), 'Leave Team'))
  await expectToast(page, 'Left Team')
})

test('a chef transfers ownership', async ({ browser }) => {
  const [chef, member] = await Promise.all([registerMember('Sara El Amrani'), registerMember('Lina Bargach')])
  const team = await createTeam(chef)
  await joinTeam(team, member)
  const { page } = await openApp(browser, { as: chef })
  await goToSection(page, 'Teams')
  await typeInto(page, page.getByLabel('Search teams'), team.name)
  await press(page, button(page, team.name))
  await press(page, button(page.getByRole('dialog'), 'Transfer Ownership'))
  await press(page, dialogOf(page).getByRole('radio', { name: /Lina Bargach/ }), 'Space')
  await press(page, button(dialogOf(page), 'Transfer'))
  const findOwner = async () =>
    (await callApi<{ team: { ownerId: string } }>(`GET /teams/${team.id}`, member.token)).team.ownerId
  await expect.poll(findOwner).toBe(member.id)
})
