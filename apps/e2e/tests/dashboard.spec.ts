import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { applyToChallenge, evaluateSubmission } from './challenge-steps.ts'
import { openDashboard, panelOf, showMembers, attentionRegion, showAllItems, inTwoDays } from './dashboard-steps.ts'
import { createChallenge, createTeam, registerMember, randomWord } from './steps.ts'
import { expectToast, joinTeam, sampledVariants, createTeamOfThree } from './team-steps.ts'

for (const variant of sampledVariants('visitor'))
  test(`visitor and newcomer, ${variant.name}: are asked to sign in, then to join or create a team`, async ({
    browser,
  }) => {
    const visitorApp = await openDashboard(browser, variant)
    await expect(visitorApp.page.getByText(visitorApp.t('Please Sign In'))).toBeVisible()
    await expectAccessible(visitorApp.page)
    await visitorApp.page
      .getByRole('main')
      .getByRole('button', { name: visitorApp.t('Sign In') })
      .click()
    await expect(visitorApp.page.getByRole('dialog')).toBeVisible()

    const person = await registerMember('Nour Haddad')
    const { page, consoleErrors, t } = await openDashboard(browser, variant, person)
    await expect(page.getByText(person.email)).toBeVisible()
    await expect(page.getByText(t('No Teams Yet'))).toBeVisible()
    await expect(attentionRegion(page, t)).toBeHidden()
    await expectAccessible(page)
    await page.getByRole('button', { name: t('Browse teams') }).click()
    await expect(page.locator('#teams')).toBeInViewport()
    expect([...visitorApp.consoleErrors, ...consoleErrors]).toEqual([])
  })

for (const variant of sampledVariants('member'))
  test(`member, ${variant.name}: reads new verdicts with feedback and grade, and leaves the team`, async ({
    browser,
  }) => {
    const { chef, members, team } = await createTeamOfThree()
    const [member] = members
    const [good, bad, near] = await Promise.all([
      createChallenge(),
      createChallenge(),
      createChallenge({ deadline: inTwoDays() }),
    ])
    await evaluateSubmission(await applyToChallenge(chef, team, good), {
      status: 'approved',
      score: 92,
      feedback: 'Clear and fast.',
    })
    await evaluateSubmission(await applyToChallenge(chef, team, bad), {
      status: 'rejected',
      feedback: 'Please add the source.',
    })

    const { page, consoleErrors, t } = await openDashboard(browser, variant, member)
    const attention = attentionRegion(page, t)
    const unread = attention.getByRole('listitem').filter({ hasText: bad.title })
    await showAllItems(attention, t)
    await expect(attention.getByRole('link', { name: near.title })).toBeVisible()
    await expect(unread.getByText('Please add the source.')).toBeVisible()
    await expectAccessible(page)
    await unread.getByRole('button', { name: t('Mark as read') }).click()
    await expect(unread).toBeHidden()
    await page.reload()
    await showAllItems(attention, t)
    await expect(attention.getByRole('listitem').filter({ hasText: good.title })).toBeVisible()
    await expect(unread).toBeHidden()

    const panel = panelOf(page, team)
    const work = panel.getByRole('listitem').filter({ has: page.getByRole('link', { name: good.title }) })
    await expect(work.getByText('92/100')).toBeVisible()
    await expect(work.getByRole('img', { name: t('Grade {grade}').replace('{grade}', 'A') })).toBeVisible()
    await expect(work.getByText('Clear and fast.')).toBeVisible()
    // This member is neither the chef nor the submitter.
    await expect(panel.getByText('Please add the source.')).toBeVisible()
    await expect(panel.getByRole('button', { name: t('Re-apply') })).toBeHidden()
    await expect(panel.getByRole('button', { name: t('Transfer Ownership') })).toBeHidden()
    await showMembers(panel, t)
    await expect(panel.getByText(chef.email)).toBeVisible()
    await expect(panel.getByRole('button', { name: t('Remove Member') })).toHaveCount(0)
    await expectAccessible(page)

    await panel.getByRole('button', { name: t('Leave Team') }).click()
    const question = page.getByRole('alertdialog', { name: t('Leave Team') })
    await question.getByRole('button', { name: t('Cancel') }).click()
    await panel.getByRole('button', { name: t('Leave Team') }).click()
    const reloaded = page.waitForEvent('load')
    await question.getByRole('button', { name: t('Leave Team') }).click()
    await reloaded
    await expectToast(page, t('You have successfully left the team.'))
    await expect(page).toHaveURL(/#dashboard$/)
    await expect(page.getByText(t('No Teams Yet'))).toBeVisible()
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('chef of two teams'))
  test(`chef of two teams, ${variant.name}: selects one, re-applies, removes a member, transfers, leaves`, async ({
    browser,
  }) => {
    const { chef, members, team } = await createTeamOfThree()
    const [member, other] = members
    const second = await createTeam(chef, `Zellige ${randomWord()} ${randomWord()}`)
    const third = await registerMember('Ines')
    for (const person of [member, third]) await joinTeam(second, person)
    const challenge = await createChallenge()
    await evaluateSubmission(await applyToChallenge(chef, second, challenge), {
      status: 'rejected',
      feedback: 'Please add the source.',
    })

    const { page, consoleErrors, t } = await openDashboard(browser, variant, chef)
    const picker = page.getByRole('region', { name: t('My teams') })
    await expect(panelOf(page, team)).toBeVisible()
    await picker.getByRole('button', { name: second.name }).click()
    const panel = panelOf(page, second)
    await expect(panel.getByRole('heading', { name: second.name })).toBeFocused()
    await expectAccessible(page)

    await panel.getByRole('button', { name: t('Re-apply') }).click()
    const form = page.getByRole('dialog', { name: t('Re-apply') })
    await expect(form.getByText('Please add the source.')).toBeVisible()
    await form.getByRole('button', { name: t('Re-apply') }).click()
    await expectToast(page, t('Submission status updated to pending. Waiting for admin review.'))
    await expect(form).toBeHidden()
    const work = panel.getByRole('listitem').filter({ has: page.getByRole('link', { name: challenge.title }) })
    await expect(work.getByText(t('Waiting for admin review.'))).toBeVisible()

    await showMembers(panel, t)
    await panel.getByRole('button', { name: `${t('Remove Member')} ${third.name}` }).click()
    const question = page.getByRole('alertdialog', { name: t('Remove Member') })
    const reloaded = page.waitForEvent('load')
    await question.getByRole('button', { name: t('Remove Member') }).click()
    await reloaded
    await expectToast(page, t('Member Removed'))
    // The picked team is still selected.
    await showMembers(panel, t)
    await expect(panel.getByText(member.email)).toBeVisible()
    await expect(panel.getByText(third.email)).toBeHidden()

    await panel.getByRole('button', { name: t('Transfer Ownership') }).click()
    const transfer = page.getByRole('dialog', { name: t('Transfer Ownership') })
    await transfer.getByRole('radio', { name: member.name }).check()
    await transfer.getByRole('button', { name: t('Transfer'), exact: true }).click()
    await expectToast(page, t('Ownership Transferred'))
    await expect(panel.getByRole('button', { name: t('Leave Team') })).toBeVisible()
    await expect(panel.getByRole('button', { name: t('Remove Member') })).toHaveCount(0)

    await picker.getByRole('button', { name: team.name }).click()
    await showMembers(panelOf(page, team), t)
    await panelOf(page, team)
      .getByRole('button', { name: `${t('Remove Member')} ${chef.name}` })
      .click()
    const successor = page.getByRole('dialog', { name: t('Choose the new chef') })
    await expect(successor.getByRole('radio', { name: t('Automatic: the member who joined first') })).toBeChecked()
    await expectAccessible(page)
    await successor.getByRole('radio', { name: other.name }).check()
    const reload = page.waitForEvent('load')
    await successor.getByRole('button', { name: t('Remove Member') }).click()
    await reload
    await expectToast(page, t('Member Removed'))
    // One team is left: it is shown without a picker.
    await expect(panel).toBeVisible()
    await expect(picker).toBeHidden()

    const next = await openDashboard(browser, variant, other)
    await expect(panelOf(next.page, team).getByRole('button', { name: next.t('Leave as Chef') })).toBeVisible()
    expect([...consoleErrors, ...next.consoleErrors]).toEqual([])
  })
