import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { sampledAdminVariants, registerAdmin, openAdmin, passwordIn, searchIn } from './admin-steps.ts'
import { expectAccessible } from './accessibility.ts'
import { callApi, randomWord } from './steps.ts'
import { createTeamOfThree } from './team-steps.ts'

for (const variant of sampledAdminVariants('teams'))
  test(`admin teams, ${variant.name}: finds, renames, deactivates, activates and views a team, removes a member, deletes the team`, async ({
    browser,
  }) => {
    const [admin, { chef, members, team }] = await Promise.all([registerAdmin(), createTeamOfThree()])
    const [member, secondMember] = members
    const { page, t, main, choose, dialog, confirmWithPassword, confirm, expectToast, consoleErrors } = await openAdmin(
      browser,
      variant,
      admin,
      'Teams',
    )
    await searchIn(main.getByLabel(t('Search teams')), team.name.toLowerCase())
    await expect(main.getByRole('article')).toHaveCount(1)
    const panel = (name: string) => main.getByRole('article', { name })
    await expect(panel(team.name)).toContainText(t('{team, select, other {Active}}'))
    await panel(team.name).getByText(t('Members'), { exact: true }).click()
    for (const person of [chef, member, secondMember]) await expect(panel(team.name)).toContainText(person.email)
    await expect(panel(team.name).getByText(t('Chef'), { exact: true })).toHaveCount(1)
    await expectAccessible(page)

    await choose(team.name, 'Rename Team')
    const renameDialog = dialog('Rename Team')
    await renameDialog.getByRole('button', { name: t('Continue') }).click()
    await expect(renameDialog).toBeHidden()
    await expect(passwordIn(page, t)).toHaveCount(0)
    await choose(team.name, 'Rename Team')
    await renameDialog.getByLabel(t('Team name')).fill('  ')
    await renameDialog.getByRole('button', { name: t('Continue') }).click()
    await expect(renameDialog.getByText(t('This field is required'))).toBeVisible()
    const name = `Oudaya ${randomWord()}`
    await renameDialog.getByLabel(t('Team name')).fill(name)
    await renameDialog.getByRole('button', { name: t('Continue') }).click()
    await confirmWithPassword('Confirm with your password', 'Rename Team')
    await expectToast('Team renamed to {name}', { name })
    await main.getByLabel(t('Search teams')).fill(name)

    await choose(name, 'Deactivate Team')
    await confirm('Deactivate Team', 'Deactivate')
    await expectToast('Team deactivated successfully')
    await expect(panel(name).getByText(t('{team, select, other {Inactive}}'), { exact: true })).toBeVisible()
    await choose(name, 'Activate Team')
    await confirm('Activate Team', 'Activate')
    await expectToast('Team activated successfully')
    await expect(panel(name).getByText(t('{team, select, other {Active}}'), { exact: true })).toBeVisible()

    await choose(name, 'Open Team')
    await expect(page.getByRole('dialog', { name }).getByText('3/11')).toBeVisible()
    await expect(page.getByRole('button', { name: `${t('Ban User')} ${member.name}` })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await choose(name, 'Manage members')
    await expect(page.getByRole('button', { name: `${t('Ban User')} ${member.name}` })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    const membersButton = panel(name).getByRole('button', { name: t('Members'), exact: true })
    if ((await membersButton.getAttribute('aria-expanded')) === 'false') await membersButton.click()
    const chefRow = panel(name).getByRole('listitem').filter({ hasText: chef.email })
    await chefRow.getByRole('button', { name: t('Remove') }).click()
    await expect(dialog('Remove Member')).toContainText(member.name)
    await confirmWithPassword('Remove Member', 'Remove')
    await expectToast('{name} removed from {team}', { name: chef.name, team: name })
    await expect(panel(name)).not.toContainText(chef.email)
    const { team: updatedTeam } = await callApi<{ team: { ownerId: string } }>(`GET /teams/${team.id}`, member.token)
    expect(updatedTeam.ownerId).toBe(member.id)

    await choose(name, 'Delete Team')
    await confirmWithPassword('Delete Team')
    await expectToast('Team deleted successfully')
    await expect(main.getByText(t('No Teams Found'))).toBeVisible()
    await expect(callApi(`GET /teams/${team.id}`, member.token)).rejects.toThrow('Team not found')
    expect(consoleErrors).toEqual([])
  })
