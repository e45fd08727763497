import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { passwordIn, promoteToAdmin, submitPassword } from './admin-steps.ts'
import { findChallenge, openApplication } from './challenge-steps.ts'
import { openDashboard, panelOf, showMembers, attentionRegion, showAllItems, inTwoDays } from './dashboard-steps.ts'
import { createChallenge, randomWord } from './steps.ts'
import { expectToast, sampledVariants, createTeamOfThree } from './team-steps.ts'

for (const variant of sampledVariants('administrator who is chef'))
  test(`administrator who is chef, ${variant.name}: applies, renames, removes and transfers, with the password`, async ({
    browser,
  }) => {
    const { chef, members, team } = await createTeamOfThree()
    const [member, other] = members
    await promoteToAdmin(chef)
    const challenge = await createChallenge({ deadline: inTwoDays() })
    const { page, consoleErrors, t } = await openDashboard(browser, variant, chef)
    const attention = attentionRegion(page, t)
    await showAllItems(attention, t)
    await attention.getByRole('link', { name: challenge.title }).click()
    const form = await openApplication(page, challenge.title, t)
    await form.getByLabel(t('Project link')).fill('https://github.com/atlas-lions/bus-times')
    await form.getByRole('button', { name: t('Submit Application') }).click()
    await expectToast(page, t('Application submitted successfully!'))
    const card = await findChallenge(page, challenge.title, t)
    await expect(card.getByRole('button', { name: t('Already Applied') })).toBeVisible()

    const confirmWith = (password: string, button: string) =>
      submitPassword(page.getByRole('dialog'), t, password, button)
    await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToDashboard')))
    const panel = panelOf(page, team)
    await panel.getByRole('button', { name: t('Manage team') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('Rename') })
      .click()
    const renameDialog = page.getByRole('dialog', { name: t('Rename Team') })
    const name = `Zellige ${randomWord()} ${randomWord()}`
    await renameDialog.getByRole('textbox').fill(name)
    await renameDialog.getByRole('button', { name: t('Rename') }).click()
    await expect(passwordIn(page, t)).toBeFocused()
    await expectAccessible(page)
    const renamed = page.waitForEvent('load')
    await confirmWith(chef.password, 'Rename')
    await renamed
    await expectToast(page, t('Team Renamed'))

    const renamedPanel = panelOf(page, { name })
    await showMembers(renamedPanel, t)
    await renamedPanel.getByRole('button', { name: `${t('Remove Member')} ${other.name}` }).click()
    await confirmWith('Not-the-one-1', 'Remove Member')
    await expect(passwordIn(page, t)).toHaveAccessibleDescription(t('The password you entered is incorrect.'))
    const reloaded = page.waitForEvent('load')
    await confirmWith(chef.password, 'Remove Member')
    await reloaded
    await expectToast(page, t('Member Removed'))

    await renamedPanel.getByRole('button', { name: t('Transfer Ownership') }).click()
    const transfer = page.getByRole('dialog', { name: t('Transfer Ownership') })
    await transfer.getByRole('radio', { name: member.name }).check()
    await transfer.getByRole('button', { name: t('Transfer'), exact: true }).click()
    await confirmWith(chef.password, 'Transfer')
    await expectToast(page, t('Ownership Transferred'))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(renamedPanel.getByRole('button', { name: t('Leave Team') })).toBeVisible()
    const next = await openDashboard(browser, variant, member)
    await expect(panelOf(next.page, { name }).getByRole('button', { name: next.t('Leave as Chef') })).toBeVisible()
    await showMembers(panelOf(next.page, { name }), next.t)
    await expect(next.page.getByText(other.email)).toBeHidden()
    expect([...consoleErrors, ...next.consoleErrors]).toEqual([])
  })
