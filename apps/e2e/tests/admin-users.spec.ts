import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { sampledAdminVariants, registerAdmin, openAdmin, passwordIn, searchIn } from './admin-steps.ts'
import { expectAccessible } from './accessibility.ts'
import { callApi, createTeam, registerMember, randomWord } from './steps.ts'
import { joinTeam } from './team-steps.ts'

for (const variant of sampledAdminVariants('users')) {
  test(`admin users, ${variant.name}: finds a user, warns them with a reason and the right password, takes the warning back`, async ({
    browser,
  }) => {
    const [admin, person] = await Promise.all([registerAdmin(), registerMember(`Salma ${randomWord()}`)])
    const { page, t, row, main, choose, dialog, confirmWithPassword, confirm, expectToast, openTab, consoleErrors } =
      await openAdmin(browser, variant, admin, 'Users')
    await searchIn(main.getByLabel(t('Search users')), person.email.toUpperCase())
    const userRow = row(person.email)
    await expect(userRow).toHaveCount(1)
    for (const text of [person.name, t('Member'), t('Active')]) await expect(userRow).toContainText(text)
    await expectAccessible(page)

    await choose(person.name, 'Give Warning')
    const warning = dialog('Give Warning')
    const continueButton = warning.getByRole('button', { name: t('Continue') })
    await warning.getByLabel(t('Reason')).fill('   ')
    await continueButton.click()
    await expect(warning.getByText(t('This field is required'))).toBeVisible()
    await warning.getByLabel(t('Reason')).fill('x'.repeat(501))
    await continueButton.click()
    await expect(warning.getByText(t('Maximum {n} characters allowed', { n: 500 }))).toBeVisible()
    await warning.getByLabel(t('Reason')).fill('Shouting in every room')
    await continueButton.click()
    await expect(passwordIn(warning, t)).toBeFocused()
    await warning.getByRole('button', { name: t('Give Warning'), exact: true }).click()
    await expect(warning.getByText(t('Password is required'))).toBeVisible()
    await passwordIn(warning, t).fill('Wrong-2026')
    await page.keyboard.press('Enter')
    await expect(warning.getByText(t('The password you entered is incorrect.')).first()).toBeVisible()
    await expectToast('Invalid Password')
    await confirmWithPassword('Give Warning')
    await expectToast('Warning given successfully')
    await expect(userRow.getByText(/^(1 warning|إنذار واحد)$/)).toBeVisible()

    await userRow.getByRole('button', { name: t('View Details') }).click()
    const details = page.getByRole('dialog', { name: person.name })
    await expect(details.getByText('Shouting in every room')).toBeVisible()
    await details.getByRole('button', { name: t('Remove warning') }).click()
    await confirm('Remove this warning?', 'Remove warning')
    await expectToast('Warning removed')
    await expect(details.getByText(t('No warnings.'))).toBeVisible()
    await page.keyboard.press('Escape')

    await openTab('Audit log')
    await main.getByLabel(t('Search the audit log')).fill(person.email)
    await expect(row(person.name)).toHaveCount(2)
    await expect(row(person.name).last()).toContainText('Shouting in every room')
    expect(consoleErrors).toEqual([])
  })

  test(`admin users, ${variant.name}: removes from teams, bans, unbans, promotes, demotes and deletes`, async ({
    browser,
  }) => {
    const [admin, person, successor] = await Promise.all([
      registerAdmin(),
      registerMember(`Salma ${randomWord()}`),
      registerMember('Omar'),
    ])
    const teams = [await createTeam(person), await createTeam(person), await createTeam(successor)]
    const [first, second, third] = teams
    if (!first || !second || !third) throw new Error('There are three teams')
    await joinTeam(first, successor)
    await joinTeam(third, person)
    const { page, t, row, main, choose, dialog, confirmWithPassword, expectToast, consoleErrors } = await openAdmin(
      browser,
      variant,
      admin,
      'Users',
    )
    await main.getByLabel(t('Search users')).fill(person.email)
    const userRow = row(person.email)

    await choose(person.name, 'Remove from Teams')
    const picker = dialog('Remove from Teams')
    const submit = picker.locator('button[type=submit]')
    await expect(submit).toBeDisabled()
    await picker.getByLabel(first.name).check()
    await picker.getByLabel(third.name).check()
    await submit.click()
    await confirmWithPassword('Confirm with your password', 'Remove')
    await expect(picker).toBeHidden()
    const { team: updatedTeam } = await callApi<{ team: { ownerId: string; memberCount: number } }>(
      `GET /teams/${first.id}`,
      successor.token,
    )
    expect(updatedTeam).toMatchObject({ ownerId: successor.id, memberCount: 1 })
    await userRow.getByRole('button', { name: t('View Details') }).click()
    const details = page.getByRole('dialog', { name: person.name })
    await expect(details.getByText(second.name)).toBeVisible()
    await expect(details.getByText(first.name)).toHaveCount(0)
    await page.keyboard.press('Escape')

    await choose(person.name, 'Ban User')
    await dialog('Ban User').getByLabel(t('Reason')).fill('Spam in every team')
    await dialog('Ban User')
      .getByRole('button', { name: t('Continue') })
      .click()
    await confirmWithPassword('Ban User')
    await expectToast('User banned successfully')
    await expect(userRow).toContainText(t('Banned'))
    await expect(callApi('GET /users/profile', person.token)).rejects.toThrow()
    await main.getByRole('button', { name: t('Actions for {name}', { name: person.name }) }).click()
    await expect(page.getByRole('menuitem', { name: t('Unban User') })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: t('Give Warning') })).toHaveCount(0)
    await page.getByRole('menuitem', { name: t('Unban User') }).click()
    await confirmWithPassword('Unban User')
    await expectToast('User unbanned successfully')
    await expect(userRow).toContainText(t('Active'))

    await choose(person.name, 'Make Admin')
    await confirmWithPassword('Make Admin')
    await expectToast('Role changed')
    await expect(userRow).toContainText(t('Admin'))
    await main.getByRole('button', { name: t('Actions for {name}', { name: person.name }) }).click()
    for (const label of ['Give Warning', 'Ban User', 'Make Member', 'Delete User'])
      await expect(page.getByRole('menuitem', { name: t(label) })).toBeVisible()
    await page.keyboard.press('Escape')

    // Another administrator can be deleted too.
    await choose(person.name, 'Delete User')
    await confirmWithPassword('Delete User')
    await expectToast('User deleted successfully')
    await expect(main.getByText(t('No users found'))).toBeVisible()
    await expect(main.getByRole('tabpanel'), 'which contained the row').toBeFocused()
    await main.getByRole('button', { name: t('Clear filters') }).click()
    await main.getByLabel(t('Search users')).fill(admin.email)
    const own = row(admin.email)
    await expect(own).toContainText(t('You'))
    await expect(own.getByRole('button')).toHaveText([t('View Details')])
    await own.getByRole('button').click()
    await expect(page.getByText(t('You cannot perform admin actions on your own account'))).toBeVisible()
    expect(consoleErrors).toEqual([])
  })

  test(`admin users, ${variant.name}: filters and sorts on the server`, async ({ browser }) => {
    const tag = randomWord()
    const [admin, , second] = await Promise.all([
      registerAdmin(),
      registerMember(`Aya ${tag}`),
      registerMember(`Ziad ${tag}`),
    ])
    const { t, row, main } = await openAdmin(browser, variant, admin, 'Users')
    await main.getByLabel(t('Search users')).fill(tag)
    await expect(row(tag)).toHaveCount(2)
    const order = main.getByLabel(t('Sort by'))
    await order.selectOption({ label: t('Name (Z to A)') })
    await expect(row(tag).first()).toContainText(second.name)
    await order.selectOption({ label: t('Name (A to Z)') })
    await expect(row(tag).last()).toContainText(second.name)
    await main.getByLabel(t('Role')).selectOption({ label: t('Admin') })
    await expect(main.getByText(t('No users found'))).toBeVisible()
    await main.getByLabel(t('Role')).selectOption({ label: t('All roles') })
    await main.getByLabel(t('Status')).selectOption({ label: t('Banned') })
    await expect(main.getByText(t('No users found'))).toBeVisible()
    await main.getByRole('button', { name: t('Clear filters') }).click()
    await expect(main.getByLabel(t('Search users'))).toHaveValue('')
    await expect(main.getByRole('button', { name: t('View Details') }).first()).toBeVisible()
  })
}
