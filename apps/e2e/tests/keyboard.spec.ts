import { expect } from '@playwright/test'
import { dialogOf } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { newestCode } from '../inbox.ts'
import { ADMIN } from '@community/testing/server'
import { button, chooseOption, goToSection, press, tabTo, typeInto } from './keyboard-steps.ts'
import {
  callApi,
  createChallenge,
  createTeam,
  inboxUrl,
  openApp,
  registerMember,
  newTestUser,
  randomWord,
} from './steps.ts'
import { expectToast, joinTeam } from './team-steps.ts'

test('the skip link leads to the content, a header link to its section', async ({ browser }) => {
  const { page } = await openApp(browser)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
  await goToSection(page, 'Leaderboard')
  await expect(page.locator('#leaderboard h2').first()).toBeInViewport()
})

test('a visitor signs up with the mailed code and signs out', async ({ browser }) => {
  const person = newTestUser('Hajar Ouazzani')
  const { page } = await openApp(browser)
  const dialog = page.getByRole('dialog')
  await press(page, button(page.getByRole('banner'), 'Sign Up'))
  await press(page, button(dialog, 'Continue with Email'))
  await typeInto(page, dialog.getByLabel('Full Name'), person.name)
  await typeInto(page, dialog.getByLabel('Email', { exact: true }), person.email)
  await typeInto(page, dialog.getByLabel('Password', { exact: true }), person.password)
  await typeInto(page, dialog.getByLabel('Confirm Password'), 'Another-2026')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Confirm Password')).toBeFocused()
  await typeInto(page, dialog.getByLabel('Confirm Password'), person.password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Verification Code')).toBeFocused()
  await page.keyboard.type(await newestCode(inboxUrl, person.email))
  await expectToast(page, 'Welcome to the community!')
  await expect(dialog).toBeHidden()

  const menu = button(page, `Account of ${person.name}`)
  await press(page, menu)
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeFocused()
  const reloaded = page.waitForEvent('load')
  await page.keyboard.press('Enter')
  await reloaded
  await expect(button(page.getByRole('banner'), 'Sign In')).toBeVisible()
})

test('a forgotten password is reset', async ({ browser }) => {
  const person = await registerMember()
  const { page } = await openApp(browser)
  const dialog = page.getByRole('dialog')
  await press(page, button(page.getByRole('banner'), 'Sign In'))
  await press(page, button(dialog, 'Continue with Email'))
  const since = Date.now()
  await press(page, button(dialog, 'Forgot your password?'))
  await typeInto(page, dialog.getByLabel('Email', { exact: true }), person.email)
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Verification Code')).toBeFocused()
  await page.keyboard.type(await newestCode(inboxUrl, person.email, since))
  await typeInto(page, dialog.getByLabel('New Password', { exact: true }), 'Majorelle2027')
  await typeInto(page, dialog.getByLabel('Confirm New Password'), 'Majorelle2027')
  await page.keyboard.press('Enter')
  await press(page, button(dialog, 'Back to Login'))
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type('Majorelle2027')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(button(page, `Account of ${person.name}`)).toBeVisible()
})

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
  await expect(dialog, 'which contained the button').toBeFocused()
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

test('a chef applies to a challenge; an administrator evaluates the submission', async ({ browser }) => {
  const chef = await registerMember('Sara El Amrani')
  const team = await createTeam(chef)
  const challenge = await createChallenge()
  const { page } = await openApp(browser, { as: chef })
  await goToSection(page, 'Challenges')
  const section = page.locator('#challenges')
  await typeInto(page, section.getByRole('searchbox'), challenge.title)
  await press(page, button(section, 'Apply Filters'))
  await press(page, button(section, `Apply to ${challenge.title}`))
  const dialog = page.getByRole('dialog')
  await typeInto(page, dialog.getByLabel('Project link'), 'https://github.com/atlas-lions/bus-times')
  await press(page, button(dialog, 'Submit Application'))
  await expectToast(page, 'Application submitted successfully!')

  const admin = await openApp(browser, { as: ADMIN, at: '/#admin' })
  const tabs = admin.page.getByRole('tablist', { name: 'Admin sections' })
  await tabTo(admin.page, tabs.getByRole('tab', { name: 'Overview' }))
  for (const name of ['Users', 'Teams', 'Challenges', 'Submissions']) {
    await admin.page.keyboard.press('ArrowRight')
    await expect(tabs.getByRole('tab', { name, selected: true })).toBeFocused()
  }
  await typeInto(admin.page, admin.page.getByLabel('Search submissions'), team.name)
  const row = admin.page.locator('tr').filter({ hasText: team.name })
  await expect(row).toHaveCount(1)
  await press(admin.page, row.getByRole('button', { name: /^Evaluate/ }))
  const evaluateDialog = admin.page.getByRole('dialog', { name: 'Evaluate Submission' })
  await typeInto(admin.page, evaluateDialog.getByLabel('Score'), '87')
  await typeInto(admin.page, evaluateDialog.getByLabel('Feedback'), 'Clear and fast.')
  await press(admin.page, button(evaluateDialog, 'Submit Evaluation'))
  await expectToast(admin.page, 'Submission evaluated successfully')
  // No other pending submission is listed, so the focus moves to the main element.
  await expect(admin.page.getByRole('main')).toBeFocused()
})

test('an administrator bans a user with a reason and the password', async ({ browser }) => {
  const person = await registerMember('Tarik Rude')
  const { page } = await openApp(browser, { as: ADMIN, at: '/#admin' })
  await tabTo(page, page.getByRole('tab', { name: 'Overview' }))
  await page.keyboard.press('ArrowRight')
  await typeInto(page, page.locator('main').getByRole('searchbox'), person.email)
  const actions = page.locator('main tr').filter({ hasText: person.email }).locator('[aria-haspopup=menu]')
  await press(page, actions)
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(actions).toBeFocused()
  await page.keyboard.press('Enter')
  const password = dialogOf(page).getByLabel('Your password', { exact: true })
  const ban = async () => {
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.type('Ban User')
    await expect(page.getByRole('menuitem', { name: 'Ban User' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialogOf(page).getByLabel('Reason')).toBeFocused()
    await page.keyboard.type('Rude words')
    await press(page, button(dialogOf(page), 'Continue'))
    await expect(password).toBeFocused()
  }
  await ban()
  await page.keyboard.press('Escape')
  await expect(dialogOf(page).getByLabel('Reason')).toBeFocused()
  await page.keyboard.press('Escape')
  // Cancelling the last dialog returns the focus to the button that opened the first.
  await expect(actions).toBeFocused()
  await page.keyboard.press('Enter')
  await ban()
  await page.keyboard.type(ADMIN.password)
  await page.keyboard.press('Enter')
  await expectToast(page, 'User banned successfully')
})
