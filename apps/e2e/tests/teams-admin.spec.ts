import { expect, type Page } from '@playwright/test'
import type { Translate } from '../crawl/texts.ts'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { callApi } from './steps.ts'
import { expectToast, findTeam, sampledVariants, openVariant, openOwnTeam, createTeamOfThree } from './team-steps.ts'

/** Opens a team with the moderation buttons of its members. */
async function openManageForm(page: Page, team: { name: string }, t: Translate): Promise<void> {
  await findTeam(page, team.name, t)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('Manage members') })
    .click()
}

for (const variant of sampledVariants('reads a team'))
  test(`admin, ${variant.name}: reads a team, then warns, removes and bans, each with a reason and the password`, async ({
    browser,
  }) => {
    const { chef, members, team } = await createTeamOfThree()
    const [member, other] = members
    const { page, consoleErrors, t } = await openOwnTeam(browser, variant, ADMIN, team)
    const dialog = page.getByRole('dialog', { name: team.name })
    await expect(dialog.getByRole('heading', { name: t('Team chef') })).toBeVisible()
    await expect(dialog.getByText('3/11')).toBeVisible()
    await expect(dialog.getByText(t('Administrators cannot join teams'))).toBeVisible()
    await expect(dialog.getByRole('button', { name: t('Join This Team') })).toBeHidden()
    await expect(dialog.getByRole('button', { name: t('Ban User') })).toHaveCount(0)

    /** One moderation action, from its button to the reload. Warnings and bans require a reason, a removal a confirmation. */
    const moderate = async (name: string, target: string, done: string) => {
      await page.getByRole('button', { name: `${t(name)} ${target}` }).click()
      const asksReason = name !== 'Remove Member'
      if (asksReason) {
        const reasonDialog = page.getByRole('dialog', { name: t(name) })
        await reasonDialog.getByRole('button', { name: t('Continue') }).click()
        await expect(reasonDialog.getByText(t('This field is required'))).toBeVisible()
        await reasonDialog.getByLabel(t('Reason')).fill('Rude words')
        await reasonDialog.getByRole('button', { name: t('Continue') }).click()
      } else {
        await page
          .getByRole('alertdialog', { name: t(name) })
          .getByRole('button', { name: t(name) })
          .click()
      }
      const password = page.getByRole('dialog', { name: t(name) })
      await password.getByLabel(t('Your password'), { exact: true }).fill(ADMIN.password)
      const reloaded = page.waitForEvent('load')
      await password.getByRole('button', { name: t(name) }).click()
      await reloaded
      await expectToast(page, t(done))
    }

    await dialog.getByRole('button', { name: t('Manage members') }).click()
    await moderate('Give Warning', member.name, 'Warning Given')
    await openManageForm(page, team, t)
    await expect(page.getByText(t('Yellow Card 1'))).toBeVisible()
    await moderate('Give Warning', member.name, 'Warning Given')
    await openManageForm(page, team, t)
    await expect(page.getByText(t('Yellow Card 2'))).toBeVisible()
    await moderate('Remove Member', other.name, 'Member Removed')
    await openManageForm(page, team, t)
    await moderate('Ban User', chef.name, 'User Banned')
    const { team: updatedTeam } = await callApi<{ team: { members: { userId: string; isChef: boolean }[] } }>(
      `GET /teams/${team.id}`,
      member.token,
    )
    expect(updatedTeam.members.map(({ userId, isChef }) => [userId, isChef])).toEqual([[member.id, true]])
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('cancelling before the password'))
  test(`admin, ${variant.name}: cancelling before the password, or leaving it empty, does nothing`, async ({
    browser,
  }) => {
    const { members, team } = await createTeamOfThree()
    const [member] = members
    const { page, t } = await openVariant(browser, variant, { as: ADMIN })
    await openManageForm(page, team, t)
    const startBan = async () => {
      await page.getByRole('button', { name: `${t('Ban User')} ${member.name}` }).click()
      const reasonDialog = page.getByRole('dialog', { name: t('Ban User') })
      await reasonDialog.getByLabel(t('Reason')).fill('Rude words')
      await reasonDialog.getByRole('button', { name: t('Continue') }).click()
      return page.getByRole('dialog', { name: t('Ban User') })
    }
    const password = page.getByLabel(t('Your password'), { exact: true })
    const cancel = async () => {
      await page
        .getByRole('dialog', { name: t('Ban User') })
        .getByRole('button', { name: t('Cancel') })
        .click()
    }
    await startBan()
    await expect(password).toBeVisible()
    await cancel()
    await expect(password).toBeHidden()
    // The reason is kept until its own dialog is cancelled.
    await expect(page.getByLabel(t('Reason'))).toHaveValue('Rude words')
    await cancel()
    await expect(page.getByRole('dialog', { name: t('Ban User') })).toBeHidden()
    const passwordDialog = await startBan()
    await passwordDialog.getByRole('button', { name: t('Ban User') }).click()
    await expect(passwordDialog.getByText(t('Password is required'))).toBeVisible()
    await cancel()
    await expect(page.getByLabel(t('Reason'))).toBeVisible()
    await cancel()
    await page.keyboard.press('Escape')
    await findTeam(page, team.name, t)
    await expect(page.getByRole('dialog').getByText('3/11')).toBeVisible()
    await expect(callApi(`GET /teams/${team.id}`, member.token)).resolves.toBeDefined()
  })
