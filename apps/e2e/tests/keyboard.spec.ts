import { expect, type Locator, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { newestCode } from '../inbox.ts'
import { ADMIN } from '@community/testing/server'
import { callApi, createChallenge, createTeam, inboxUrl, openApp, registerMember, newTestUser, word } from './steps.ts'
import { expectToast, joinTeam } from './team-steps.ts'

const STEPS_MAX = 150

/** Presses Tab, or Shift+Tab to what lies before, until the focus is there: whatever cannot be reached so fails. */
async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  // Found once: looking for a role among all that is on the page takes longer than the key.
  const element = await target.elementHandle()
  const wayTo = () =>
    page.evaluate((one) => {
      const focused = document.activeElement ?? document.body
      if (!one || one === focused) return null
      const isBefore = one.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING
      return isBefore ? 'Shift+Tab' : 'Tab'
    }, element)
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const key = await wayTo()
    if (!key) break
    await page.keyboard.press(key)
  }
  await expect(target, 'can be reached by Tab').toBeFocused()
}

/** Follows a link of the header: the focus goes on from there. */
async function goToSection(page: Page, name: string): Promise<void> {
  await press(page, page.getByRole('banner').getByRole('link', { name, exact: true }))
  await expect(page.locator(`#${name.toLowerCase()}`)).toBeFocused()
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await reach(page, target)
  await page.keyboard.press(key)
}

async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await reach(page, target)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

/** Chooses in a native list by typing the beginning of an option's text. */
async function choose(page: Page, target: Locator, beginning: string): Promise<void> {
  await reach(page, target)
  await page.keyboard.type(beginning)
  await expect(target.locator('option:checked')).toContainText(beginning)
}

/** Chooses in an open menu by typing what the item begins with. */
async function chooseItem(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.type(name)
  await expect(page.getByRole('menuitem', { name })).toBeFocused()
  await page.keyboard.press('Enter')
}

const dialogOf = (page: Page): Locator => page.locator('[role=dialog], [role=alertdialog]').last()
const button = (container: Page | Locator, name: string | RegExp): Locator =>
  container.getByRole('button', { name, exact: true })

test('skip to the content, and every section by its link', async ({ browser }) => {
  const { page } = await openApp(browser)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
  await goToSection(page, 'Leaderboard')
  await expect(page.locator('#leaderboard h2').first()).toBeInViewport()
})

test('sign up with the mailed code; sign out', async ({ browser }) => {
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

test('a new password', async ({ browser }) => {
  const person = await registerMember()
  const { page } = await openApp(browser)
  const dialog = page.getByRole('dialog')
  await press(page, button(page.getByRole('banner'), 'Sign In'))
  await press(page, button(dialog, 'Continue with Email'))
  const since = Date.now() - 1000
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

test('found a team', async ({ browser }) => {
  const chef = await registerMember()
  const name = `Tuiles ${word()} ${word()}`
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
  await choose(page, wizard.getByLabel('Experience'), 'Beginner')
  await page.keyboard.press('Tab')
  await press(page, button(wizard, 'Next'))
  await expect(wizard.getByRole('heading', { name: 'Team Details' })).toBeFocused()
  await press(page, button(wizard, 'Next'))
  await expect(wizard.getByLabel('Team Name')).toBeFocused()
  await page.keyboard.type(name)
  await typeInto(page, wizard.getByLabel('Description'), 'We build small, useful things and ship them.')
  await choose(page, wizard.getByLabel('Team Experience Level'), 'Intermediate')
  await press(page, button(wizard, 'Next'))
  await press(page, wizard.getByLabel('Backend Developer'), 'Space')
  await press(page, button(wizard, 'Create Team'))
  await expectToast(page, 'Team Created!')
})

test('join a team, then leave it', async ({ browser }) => {
  const [chef, mate] = await Promise.all([registerMember('Sara El Amrani'), registerMember('Lina')])
  const team = await createTeam(chef)
  const { page } = await openApp(browser, { as: mate })
  await goToSection(page, 'Teams')
  await typeInto(page, page.getByLabel('Search teams'), team.name)
  await press(page, button(page, team.name))
  const dialog = page.getByRole('dialog')
  await press(page, button(dialog, 'Join This Team'))
  await expect(dialog.getByLabel('Role', { exact: true })).toBeFocused()
  await typeInto(page, dialog.getByLabel('Phone'), '0612345678')
  await choose(page, dialog.getByLabel('Experience'), 'Beginner')
  await press(page, button(dialog, 'Join Team'))
  await expect(dialog.getByText(/2 members/).first()).toBeVisible()
  await press(page, button(dialog, 'Leave Team'))
  await press(page, button(page.getByRole('alertdialog'), 'Leave Team'))
  await expectToast(page, 'Left Team')
})

test('a chef hands the team over', async ({ browser }) => {
  const [chef, mate] = await Promise.all([registerMember('Sara El Amrani'), registerMember('Lina Bargach')])
  const team = await createTeam(chef)
  await joinTeam(team, mate)
  const { page } = await openApp(browser, { as: chef })
  await goToSection(page, 'Teams')
  await typeInto(page, page.getByLabel('Search teams'), team.name)
  await press(page, button(page, team.name))
  await press(page, button(page.getByRole('dialog'), 'Transfer Ownership'))
  await press(page, dialogOf(page).getByRole('radio', { name: /Lina Bargach/ }), 'Space')
  await press(page, button(dialogOf(page), 'Transfer'))
  await expect
    .poll(async () => {
      const { team: after } = await callApi<{ team: { members: { userId: string; isChef: boolean }[] } }>(
        `GET /teams/${team.id}`,
        mate.token,
      )
      return after.members.find(({ isChef }) => isChef)?.userId
    })
    .toBe(mate.id)
})

test('apply to a challenge; an administrator judges it', async ({ browser }) => {
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

  const desk = await openApp(browser, { as: ADMIN, at: '/#admin' })
  const tabs = desk.page.getByRole('tablist', { name: 'Parts of the administration' })
  await reach(desk.page, tabs.getByRole('tab', { name: 'Overview' }))
  for (const name of ['Users', 'Teams', 'Challenges', 'Submissions']) {
    await desk.page.keyboard.press('ArrowRight')
    await expect(tabs.getByRole('tab', { name, selected: true })).toBeFocused()
  }
  await typeInto(desk.page, desk.page.getByLabel('Search submissions'), team.name)
  const row = desk.page.locator('tr').filter({ hasText: team.name })
  await expect(row).toHaveCount(1)
  await press(desk.page, row.getByRole('button', { name: /^Evaluate/ }))
  const judging = desk.page.getByRole('dialog', { name: 'Evaluate Submission' })
  await typeInto(desk.page, judging.getByLabel('Score'), '87')
  await typeInto(desk.page, judging.getByLabel('Feedback'), 'Clear and fast.')
  await press(desk.page, button(judging, 'Submit Evaluation'))
  await expectToast(desk.page, 'Submission evaluated successfully')
  // No other work waits in the list.
  await expect(desk.page.getByRole('main')).toBeFocused()
})

test('an administrator bans somebody, with a reason and the password', async ({ browser }) => {
  const person = await registerMember('Tarik Rude')
  const { page } = await openApp(browser, { as: ADMIN, at: '/#admin' })
  await reach(page, page.getByRole('tab', { name: 'Overview' }))
  await page.keyboard.press('ArrowRight')
  await typeInto(page, page.locator('main').getByRole('searchbox'), person.email)
  const actions = page.locator('main tr').filter({ hasText: person.email }).locator('[aria-haspopup=menu]')
  await press(page, actions)
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(actions).toBeFocused()
  await page.keyboard.press('Enter')
  await chooseItem(page, 'Ban User')
  await expect(dialogOf(page).getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('Rude words')
  await press(page, button(dialogOf(page), 'Continue'))
  const password = dialogOf(page).getByLabel('Your password', { exact: true })
  await expect(password).toBeFocused()
  await page.keyboard.press('Escape')
  // Left at the second question, the focus is where the first was asked from.
  await expect(actions).toBeFocused()
  await page.keyboard.press('Enter')
  await chooseItem(page, 'Ban User')
  await expect(dialogOf(page).getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('Rude words')
  await press(page, button(dialogOf(page), 'Continue'))
  await expect(password).toBeFocused()
  await page.keyboard.type(ADMIN.password)
  await page.keyboard.press('Enter')
  await expectToast(page, 'User banned successfully')
})

test('arrow keys follow the direction of the script', async ({ browser }) => {
  const { page } = await openApp(browser, { locale: 'ar-MA' })
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('openAuthModal', { detail: { mode: 'login' } })))
  const tabs = page.getByRole('dialog').getByRole('tab')
  await reach(page, tabs.first())
  await page.keyboard.press('ArrowLeft')
  await expect(tabs.last()).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tabs.first()).toBeFocused()
})

test('nothing behind a dialog takes the focus, and Tab stays inside', async ({ browser }) => {
  const { page } = await openApp(browser)
  await press(page, button(page.getByRole('banner'), 'Sign In'))
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  for (let step = 0; step < 15; step += 1) {
    await page.keyboard.press(step % 3 === 2 ? 'Shift+Tab' : 'Tab')
    const isInside = await page.evaluate(() => {
      const { activeElement } = document
      return activeElement === document.body || activeElement?.closest('[role=dialog]') !== null
    })
    expect(isInside).toBe(true)
  }
})
