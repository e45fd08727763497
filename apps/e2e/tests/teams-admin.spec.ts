import { expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { call } from './steps.ts'
import { expectToast, findTeam, looksOf, openIn, openOwn, createTeamOfThree } from './team-steps.ts'

/** Opens a team as the administration does: with what may be done about its members. */
async function openToManage(page: Page, teamId: string): Promise<void> {
  await page.evaluate((detail) => window.dispatchEvent(new CustomEvent('openTeam', { detail })), {
    teamId,
    manage: true,
  })
  await expect(page.getByRole('dialog')).toBeVisible()
}

for (const look of looksOf('reads a team'))
  test(`admin, ${look.name}: reads a team, then warns, removes and bans, each with a reason and the password`, async ({
    browser,
  }) => {
    const { chef, mates, team } = await createTeamOfThree()
    const [mate, other] = mates
    const { page, complaints, say } = await openOwn(browser, look, ADMIN, team)
    const dialog = page.getByRole('dialog', { name: team.name })
    await expect(dialog.getByRole('heading', { name: say('Team Chef') })).toBeVisible()
    await expect(dialog.getByText('3/11')).toBeVisible()
    await expect(dialog.getByText(say('Administrators cannot join teams'))).toBeVisible()
    await expect(dialog.getByRole('button', { name: say('Join This Team') })).toBeHidden()
    await expect(dialog.getByRole('button', { name: say('Ban User') })).toHaveCount(0)

    /** One act, from its button to the reload. A reason is asked for warnings and bans, a yes for a removal. */
    const act = async (name: string, whom: string, done: string) => {
      await page.getByRole('button', { name: `${say(name)} ${whom}` }).click()
      const isAsked = name !== 'Remove Member'
      if (isAsked) {
        const first = page.getByRole('dialog', { name: say(name) })
        await first.getByRole('button', { name: say('Continue') }).click()
        await expect(first.getByText(say('This field is required'))).toBeVisible()
        await first.getByLabel(say('Reason')).fill('Rude words')
        await first.getByRole('button', { name: say('Continue') }).click()
      } else {
        await page
          .getByRole('alertdialog', { name: say(name) })
          .getByRole('button', { name: say(name) })
          .click()
      }
      const password = page.getByRole('dialog', { name: say(name) })
      await password.getByLabel(say('Your password'), { exact: true }).fill(ADMIN.password)
      const reloaded = page.waitForEvent('load')
      await password.getByRole('button', { name: say(name) }).click()
      await reloaded
      await expectToast(page, say(done))
    }

    await dialog.getByRole('button', { name: say('Manage Members') }).click()
    await act('Give Warning', mate.name, 'Warning Given')
    await openToManage(page, team.id)
    await expect(page.getByText(say('Yellow Card 1'))).toBeVisible()
    await act('Give Warning', mate.name, 'Warning Given')
    await openToManage(page, team.id)
    await expect(page.getByText(say('Yellow Card 2'))).toBeVisible()
    await act('Remove Member', other.name, 'Member Removed')
    await openToManage(page, team.id)
    await act('Ban User', chef.name, 'User Banned')
    const { team: after } = await call<{ team: { members: { userId: string; isChef: boolean }[] } }>(
      `GET /teams/${team.id}`,
      mate.token,
    )
    expect(after.members.map(({ userId, isChef }) => [userId, isChef])).toEqual([[mate.id, true]])
    expect(complaints).toEqual([])
  })

for (const look of looksOf('left before the password'))
  test(`admin, ${look.name}: left before the password, or without one, nothing is done`, async ({ browser }) => {
    const { mates, team } = await createTeamOfThree()
    const [mate] = mates
    const { page, say } = await openIn(browser, look, { as: ADMIN })
    await openToManage(page, team.id)
    const startBan = async () => {
      await page.getByRole('button', { name: `${say('Ban User')} ${mate.name}` }).click()
      const first = page.getByRole('dialog', { name: say('Ban User') })
      await first.getByLabel(say('Reason')).fill('Rude words')
      await first.getByRole('button', { name: say('Continue') }).click()
      return page.getByRole('dialog', { name: say('Ban User') })
    }
    await (await startBan()).getByRole('button', { name: say('Cancel') }).click()
    await expect(page.getByLabel(say('Your password'), { exact: true })).toBeHidden()
    const again = await startBan()
    await again.getByRole('button', { name: say('Ban User') }).click()
    await expect(again.getByText(say('Password is required'))).toBeVisible()
    await again.getByRole('button', { name: say('Cancel') }).click()
    await page.keyboard.press('Escape')
    await findTeam(page, team.name, say)
    await expect(page.getByRole('dialog').getByText('3/11')).toBeVisible()
    await expect(call(`GET /teams/${team.id}`, mate.token)).resolves.toBeDefined()
  })
