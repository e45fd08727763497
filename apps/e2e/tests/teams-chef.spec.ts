import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { call } from './steps.ts'
import { expectToast, findTeam, looksOf, openOwn, createTeamOfThree } from './team-steps.ts'

for (const look of looksOf('chef'))
  test(`chef, ${look.name}: rename, edit, take a member out, hand the team on`, async ({ browser }) => {
    const { chef, mates, team } = await createTeamOfThree()
    const [mate, other] = mates
    const { page, complaints, say } = await openOwn(browser, look, chef, team)

    await page.getByRole('button', { name: say('Rename'), exact: true }).click()
    const rename = page.getByRole('dialog', { name: say('Rename Team') })
    await rename.getByRole('textbox').fill('ab')
    await rename.getByRole('button', { name: say('Rename') }).click()
    await expect(rename.getByText(say('Team name must be at least 3 characters'))).toBeVisible()
    const name = `${team.name} II`
    await rename.getByRole('textbox').fill(` ${name} `)
    const reloaded = page.waitForEvent('load')
    await rename.getByRole('button', { name: say('Rename') }).click()
    await reloaded
    await expectToast(page, say('Team Renamed'))

    await findTeam(page, name, say)
    await page.getByRole('button', { name: say('Edit'), exact: true }).click()
    const edit = page.getByRole('dialog', { name: say('Edit {team}').replace('{team}', name) })
    await expect(edit.getByLabel(say('Maximum Members'))).toHaveValue('5')
    await edit.getByLabel(say('Maximum Members')).selectOption('4')
    await edit.getByLabel(say('Description')).fill('We build quiet things, and ship them on Fridays.')
    await edit.getByRole('button', { name: say('Save') }).click()
    await expectToast(page, say('Team Updated'))
    await expect(page.getByRole('dialog').getByText('We build quiet things')).toBeVisible()

    await page.getByRole('button', { name: say('Transfer Ownership') }).click()
    const transfer = page.getByRole('dialog', { name: say('Transfer Ownership') })
    await transfer.getByRole('radio', { name: mate.name }).check()
    await transfer.getByRole('button', { name: say('Transfer'), exact: true }).click()
    await expectToast(page, say('Ownership Transferred'))
    await expect(page.getByRole('button', { name: say('Leave Team') })).toBeVisible()
    await expect(page.getByRole('heading', { name: say('Manage Team') })).toBeHidden()

    const next = await openOwn(browser, look, mate, { ...team, name })
    await next.page.getByRole('button', { name: `${say('Remove Member')} ${other.name}` }).click()
    const gone = next.page.waitForEvent('load')
    await next.page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('Remove Member') })
      .click()
    await gone
    await expectToast(next.page, say('Member Removed'))
    expect([...complaints, ...next.complaints]).toEqual([])
  })

for (const look of looksOf('removes themself among several'))
  test(`chef, ${look.name}: removes themself among several, the next one alone cannot, closes and deletes`, async ({
    browser,
  }) => {
    const { chef, mates, team } = await createTeamOfThree()
    const [mate, other] = mates
    const { page, say } = await openOwn(browser, look, chef, team)
    await page.getByRole('button', { name: `${say('Remove Member')} ${chef.name}` }).click()
    const choice = page.getByRole('dialog', { name: say('Select New Owner') })
    await expect(choice.getByRole('radio', { name: say('The oldest member, automatically') })).toBeChecked()
    await choice.getByRole('radio', { name: other.name }).check()
    const reloaded = page.waitForEvent('load')
    await choice.getByRole('button', { name: say('Remove Member') }).click()
    await reloaded
    await expectToast(page, say('Member Removed'))

    await call(`POST /teams/${team.id}/leave`, mate.token)
    const last = await openOwn(browser, look, other, team)
    await expect(last.page.getByRole('button', { name: say('Transfer Ownership') })).toBeHidden()
    await last.page.getByRole('button', { name: `${say('Remove Member')} ${other.name}` }).click()
    const question = last.page.getByRole('alertdialog')
    await question.getByRole('button', { name: say('Remove Member') }).click()
    const alone = say('You are the only member. Leave or delete the team instead.')
    await expect(question.getByText(alone).first()).toBeVisible()
    await question.getByRole('button', { name: say('Cancel') }).click()

    await last.page.getByRole('button', { name: say('Deactivate'), exact: true }).click()
    const closed = last.page.waitForEvent('load')
    await last.page
      .getByRole('alertdialog')
      .getByRole('button', { name: say('Deactivate') })
      .click()
    await closed
    await expectToast(last.page, say('Team Deactivated'))
    await last.page.evaluate(
      (teamId) => window.dispatchEvent(new CustomEvent('openTeam', { detail: { teamId } })),
      team.id,
    )
    await last.page.getByRole('button', { name: say('Delete'), exact: true }).click()
    const deletion = last.page.getByRole('alertdialog', { name: say('Delete Team') })
    await deletion.getByRole('button', { name: say('Delete') }).click()
    await expectToast(last.page, say('Team Deleted'))
    await expect(last.page.getByRole('dialog')).toBeHidden()
    await expect(call(`GET /teams/${team.id}`, other.token)).rejects.toThrow('Team not found')
  })
