import { expect } from '@playwright/test'
import { emit } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { callApi } from './steps.ts'
import { expectToast, findTeam, sampledVariants, openOwnTeam, createTeamOfThree } from './team-steps.ts'

for (const variant of sampledVariants('chef'))
  test(`chef, ${variant.name}: renames, edits, removes a member, transfers the team`, async ({ browser }) => {
    const { chef, members, team } = await createTeamOfThree()
    const [member, other] = members
    const { page, consoleErrors, t } = await openOwnTeam(browser, variant, chef, team)

    await page.getByRole('button', { name: t('Rename'), exact: true }).click()
    const rename = page.getByRole('dialog', { name: t('Rename Team') })
    await rename.getByRole('textbox').fill('ab')
    await rename.getByRole('button', { name: t('Rename') }).click()
    await expect(rename.getByText(t('Team name must be at least {n} characters').replace('{n}', '3'))).toBeVisible()
    const name = `${team.name} II`
    await rename.getByRole('textbox').fill(` ${name} `)
    const reloaded = page.waitForEvent('load')
    await rename.getByRole('button', { name: t('Rename') }).click()
    await reloaded
    await expectToast(page, t('Team Renamed'))

    await findTeam(page, name, t)
    await page.getByRole('button', { name: t('Edit'), exact: true }).click()
    const edit = page.getByRole('dialog', { name: t('Edit {team}').replace('{team}', name) })
    await expect(edit.getByLabel(t('Maximum members'))).toHaveValue('5')
    await edit.getByLabel(t('Maximum members')).selectOption('4')
    await edit.getByLabel(t('Description')).fill('We build quiet things, and ship them on Fridays.')
    await edit.getByRole('button', { name: t('Save') }).click()
    await expectToast(page, t('Team Updated'))
    await expect(edit).toBeHidden()
    await expect(page.getByRole('dialog').getByText('We build quiet things')).toBeVisible()

    await page.getByRole('button', { name: t('Transfer Ownership') }).click()
    const transfer = page.getByRole('dialog', { name: t('Transfer Ownership') })
    await transfer.getByRole('radio', { name: member.name }).check()
    await transfer.getByRole('button', { name: t('Transfer'), exact: true }).click()
    await expectToast(page, t('Ownership Transferred'))
    await expect(page.getByRole('button', { name: t('Leave Team') })).toBeVisible()
    await expect(page.getByRole('heading', { name: t('Manage team') })).toBeHidden()

    const next = await openOwnTeam(browser, variant, member, { ...team, name })
    await next.page.getByRole('button', { name: `${t('Remove Member')} ${other.name}` }).click()
    const reload = next.page.waitForEvent('load')
    await next.page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('Remove Member') })
      .click()
    await reload
    await expectToast(next.page, t('Member Removed'))
    expect([...consoleErrors, ...next.consoleErrors]).toEqual([])
  })

for (const variant of sampledVariants('leaves a team with members'))
  test(`chef, ${variant.name}: leaves from the member list, deactivates and deletes; the only member is not offered to be removed`, async ({
    browser,
  }) => {
    const { chef, members, team } = await createTeamOfThree()
    const [member, other] = members
    const { page, t } = await openOwnTeam(browser, variant, chef, team)
    await page.getByRole('button', { name: `${t('Remove Member')} ${chef.name}` }).click()
    const choice = page.getByRole('dialog', { name: t('Choose the new chef') })
    await expect(choice.getByRole('radio', { name: t('Automatic: the member who joined first') })).toBeChecked()
    await choice.getByRole('radio', { name: other.name }).check()
    const reloaded = page.waitForEvent('load')
    await choice.getByRole('button', { name: t('Remove Member') }).click()
    await reloaded
    await expectToast(page, t('Member Removed'))

    await callApi(`POST /teams/${team.id}/leave`, member.token)
    const lastMember = await openOwnTeam(browser, variant, other, team)
    await expect(lastMember.page.getByRole('button', { name: t('Transfer Ownership') })).toBeHidden()
    await expect(lastMember.page.getByRole('button', { name: t('Deactivate'), exact: true })).toBeVisible()
    await expect(lastMember.page.getByRole('button', { name: `${t('Remove Member')} ${other.name}` })).toBeHidden()

    await lastMember.page.getByRole('button', { name: t('Deactivate'), exact: true }).click()
    const reloadedAfterClosing = lastMember.page.waitForEvent('load')
    await lastMember.page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('Deactivate') })
      .click()
    await reloadedAfterClosing
    await expectToast(lastMember.page, t('Team Deactivated'))
    // The list hides inactive teams.
    await emit(lastMember.page, 'navigateToDashboard')
    await lastMember.page.getByRole('button', { name: t('Manage team') }).click()
    await lastMember.page.getByRole('button', { name: t('Delete'), exact: true }).click()
    const deletion = lastMember.page.getByRole('alertdialog', { name: t('Delete Team') })
    await deletion.getByRole('button', { name: t('Delete') }).click()
    await expectToast(lastMember.page, t('Team Deleted'))
    await expect(lastMember.page.getByRole('dialog')).toBeHidden()
    await expect(callApi(`GET /teams/${team.id}`, other.token)).rejects.toThrow('Team not found')
  })
