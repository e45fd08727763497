import { expect } from '@playwright/test'
import { dialogOf } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { button, goToSection, press, tabTo, typeInto } from './keyboard-steps.ts'
import { createChallenge, createTeam, openApp, registerMember } from './steps.ts'
import { expectToast } from './team-steps.ts'

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
  await expect(evaluateDialog.getByText('Ctrl + Enter for “Submit Evaluation”')).toBeVisible()
  await admin.page.keyboard.press('Control+Enter')
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
