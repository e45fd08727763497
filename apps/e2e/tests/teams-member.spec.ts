import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { callApi, createTeam, registerMember, randomWord } from './steps.ts'
import { expectToast, joinTeam, sampledVariants, openOwnTeam, createTeamOfThree } from './team-steps.ts'

for (const variant of sampledVariants('reads contacts'))
  test(`member, ${variant.name}: reads contact details, joins, and leaves after a confirmation`, async ({
    browser,
  }) => {
    const [chef, person] = await Promise.all([registerMember('Sara El Amrani'), registerMember('Youssef Benali')])
    const team = await createTeam(chef, `Atlas ${randomWord()} ${randomWord()}`)
    const { page, consoleErrors, t } = await openOwnTeam(browser, variant, person, team)
    const dialog = page.getByRole('dialog')
    const contacts = dialog.getByRole('list', { name: t('Contact {name}').replace('{name}', chef.name) })
    await expect(contacts.getByRole('link', { name: chef.email })).toHaveAttribute('href', `mailto:${chef.email}`)
    await expect(contacts.getByRole('link', { name: '0612345678' })).toHaveAttribute('href', 'tel:0612345678')
    await expect(contacts.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('target', '_blank')
    await expect(dialog.getByRole('button', { name: t('Rename') })).toBeHidden()

    await dialog.getByRole('button', { name: t('Join This Team') }).click()
    await expect(dialog.getByLabel(t('Full Name'))).toHaveValue(person.name)
    await dialog.getByRole('button', { name: t('Join Team') }).click()
    await expect(dialog.getByText(t('Please fill in all required fields:')).first()).toBeVisible()
    await dialog.getByLabel(t('Role'), { exact: true }).selectOption({ index: 1 })
    await dialog.getByLabel(t('Phone')).fill('0612345678')
    await dialog.getByLabel(t('Experience')).selectOption('Beginner')
    await dialog.getByRole('button', { name: t('Join Team') }).click()
    await expectToast(page, t('Success!'))
    await dialog.getByRole('button', { name: t('Leave Team') }).click()
    const question = page.getByRole('alertdialog', { name: t('Leave Team') })
    const reloaded = page.waitForEvent('load')
    await question.getByRole('button', { name: t('Leave Team') }).click()
    await reloaded
    await expectToast(page, t('You have successfully left the team.'))
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('a leaving chef sees the successor'))
  test(`member, ${variant.name}: a leaving chef sees the successor; the last member closes the team`, async ({
    browser,
  }) => {
    const { chef, members, team } = await createTeamOfThree()
    const [member, other] = members
    const { page, consoleErrors, t } = await openOwnTeam(browser, variant, chef, team)
    await page.getByRole('button', { name: t('Leave as Chef') }).click()
    const question = page.getByRole('alertdialog', { name: t('Leave as Chef') })
    await expect(question.getByText(member.name)).toBeVisible()
    const reloaded = page.waitForEvent('load')
    await question.getByRole('button', { name: t('Leave as Chef') }).click()
    await reloaded
    const leftText = t('You have left the team. The oldest remaining member is now the new team chef.')
    await expectToast(page, leftText)

    await callApi(`POST /teams/${team.id}/leave`, other.token)
    const lastMember = await openOwnTeam(browser, variant, member, team)
    await lastMember.page.getByRole('button', { name: t('Leave as Chef') }).click()
    const lastMemberWarning = t('You are the last member of {team}. If you leave, the team is deactivated.')
    const lastQuestion = lastMember.page.getByRole('alertdialog')
    await expect(lastQuestion.getByText(lastMemberWarning.replace('{team}', team.name))).toBeVisible()
    const reloadedAfterClosing = lastMember.page.waitForEvent('load')
    await lastQuestion.getByRole('button', { name: t('Leave as Chef') }).click()
    await reloadedAfterClosing
    await expectToast(lastMember.page, t('You have successfully left the team.'))
    expect([...consoleErrors, ...lastMember.consoleErrors]).toEqual([])
  })

for (const variant of sampledVariants('a full team'))
  test(`member, ${variant.name}: a full team cannot be joined, and its card shows its size`, async ({ browser }) => {
    const people = await Promise.all(
      ['Sara', 'Lina', 'Omar', 'Amine', 'Nour', 'Yassir'].map((name) => registerMember(name)),
    )
    const [chef, ...others] = people
    const outsider = others.at(-1)
    if (!chef || !outsider) throw new Error('Nobody registered')
    const team = await createTeam(chef, `Full ${randomWord()} ${randomWord()}`)
    for (const person of others.slice(0, 4)) await joinTeam(team, person)
    const { page, consoleErrors, t } = await openOwnTeam(browser, variant, outsider, team)
    const full = t('This team is full ({count}/{max} members)').replace('{count}', '5').replace('{max}', '5')
    await expect(page.getByRole('dialog').getByText(full)).toBeVisible()
    await expect(page.getByRole('button', { name: t('Join This Team') })).toBeHidden()
    expect(consoleErrors).toEqual([])
  })
