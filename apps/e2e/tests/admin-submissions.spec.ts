import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { sampledAdminVariants, registerAdmin, openAdmin, searchIn } from './admin-steps.ts'
import { applyToChallenge } from './challenge-steps.ts'
import { expectAccessible } from './accessibility.ts'
import { callApi, createChallenge, createTeam, registerMember, randomWord } from './steps.ts'

const REQUIREMENT = 'Works without a network'

/** Three teams with a pending submission each, for one challenge of 200 points. */
async function createThreeSubmissions() {
  const challenge = await createChallenge({ requirements: [REQUIREMENT] })
  const submissions = []
  for (const name of ['Sara', 'Lina', 'Omar']) {
    const chef = await registerMember(name)
    const team = await createTeam(chef)
    submissions.push({ chef, team, id: await applyToChallenge(chef, team, challenge) })
  }
  return { challenge, submissions }
}

for (const variant of sampledAdminVariants('submissions'))
  test(`admin submissions, ${variant.name}: approves, rejects, resets, evaluates again and deletes; leads through what the search finds`, async ({
    browser,
  }) => {
    const [admin, { challenge, submissions }] = await Promise.all([
      registerAdmin(`Idriss ${randomWord()}`),
      createThreeSubmissions(),
    ])
    const [first, second, third] = submissions
    if (!first || !second || !third) throw new Error('There are three works')
    const pointsOf = async ({ team, chef }: typeof first) =>
      (await callApi<{ team: { points: number } }>(`GET /teams/${team.id}`, chef.token)).team.points
    const { page, t, main, row, dialog, confirmWithPassword, confirm, expectToast, openTab, consoleErrors } =
      await openAdmin(browser, variant, admin, 'Submissions')
    await searchIn(main.getByLabel(t('Search submissions')), challenge.title)
    await expect(row(challenge.title)).toHaveCount(3)
    await main.getByLabel(t('Status')).selectOption({ label: t('Rejected') })
    await expect(main.getByText(t('No submissions found'))).toBeVisible()
    await main.getByLabel(t('Status')).selectOption({ label: t('All') })
    await expect(row(challenge.title)).toHaveCount(3)
    await expectAccessible(page)

    const evaluation = dialog('Evaluate Submission')
    const submit = evaluation.locator('button[type=submit]')
    const score = evaluation.getByLabel(t('Score'), { exact: true })
    await row(first.team.name)
      .getByRole('button', { name: t('Evaluate') })
      .click()
    await expect(evaluation).toContainText(first.team.name)
    await expect(evaluation.getByRole('radio', { name: t('Approved') })).toBeChecked()
    await expect(score).toHaveValue('1')
    await score.fill('150')
    await expect(score).toHaveValue('100')
    await score.fill('0')
    await expect(score).toHaveValue('1')
    await score.fill('')
    await expect(
      evaluation.getByText(t('Please enter a valid score ({min}-{max})', { min: 1, max: 100 })),
    ).toBeVisible()
    await expect(submit).toBeDisabled()
    await score.fill('87')
    await expect(evaluation.getByText('B', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await expect(evaluation.getByRole('button', { name: t('Next pending submission (J)') })).toBeVisible()
    await page.keyboard.press('j')
    await expect(evaluation).not.toContainText(first.team.name)
    await expect(score).toHaveValue('1')
    await page.keyboard.press('k')
    await expect(evaluation).toContainText(first.team.name)
    await expect(score).toHaveValue('87')
    await evaluation.getByText(t('Requirements and criteria')).click()
    await expect(evaluation).toContainText(REQUIREMENT)
    await expectAccessible(page)
    // The queue has only what the search finds, the longest waiting first.
    await expect(evaluation).toContainText(t('{place} of {count} pending', { place: 1, count: 3 }))
    await evaluation.getByRole('button', { name: t('Submit and next') }).click()
    await expectToast('Submission evaluated successfully')
    await expect(evaluation).toContainText(second.team.name)
    await expect(evaluation).toContainText(t('{place} of {count} pending', { place: 1, count: 2 }))
    await expect(evaluation.getByText(REQUIREMENT)).toBeVisible()
    await expect(row(first.team.name)).toContainText('87/100')
    expect(await pointsOf(first)).toBe(174)

    await evaluation.getByRole('radio', { name: t('Rejected') }).check()
    await expect(score).toHaveCount(0)
    await evaluation.getByLabel(t('Feedback')).fill('Please add the source.')
    await submit.click()
    await expect(evaluation).toBeHidden()
    await expect(row(third.team.name).getByRole('button', { name: t('Evaluate') })).toBeFocused()
    await expect(row(second.team.name)).toContainText(t('Rejected'))

    const details = dialog('Submission details')
    await row(second.team.name)
      .getByRole('button', { name: t('Details') })
      .click()
    for (const text of ['Please add the source.', admin.name, second.chef.email, '200'])
      await expect(details).toContainText(text)
    await details.getByRole('button', { name: t('Evaluate'), exact: true }).click()
    await expect(evaluation).toContainText(
      t('This submission has already been evaluated. A new evaluation replaces the current one.'),
    )
    await score.fill('60')
    await submit.click()
    await expect(evaluation).toBeHidden()
    await expect(row(second.team.name)).toContainText('60/100')
    expect(await pointsOf(second)).toBe(120)

    await main.getByLabel(t('Sort by')).selectOption({ label: t('Highest score') })
    await expect(row(challenge.title).first()).toContainText('87/100')
    await expect(row(challenge.title).last()).toContainText(third.team.name)

    await row(first.team.name)
      .getByRole('button', { name: t('Details') })
      .click()
    await details.getByRole('button', { name: t('Reset evaluation') }).click()
    await confirm('Reset this evaluation?', 'Reset evaluation')
    await expectToast('Evaluation reset')
    await expect(row(first.team.name)).toContainText(t('Pending'))
    expect(await pointsOf(first)).toBe(0)

    await row(third.team.name)
      .getByRole('button', { name: t('Delete Submission') })
      .click()
    await confirmWithPassword('Delete Submission')
    await expectToast('Submission deleted successfully')
    await expect(row(challenge.title)).toHaveCount(2)
    await expect(callApi(`GET /submissions/${third.id}`, third.chef.token)).rejects.toThrow()

    await openTab('Audit log')
    await main.getByLabel(t('Search the audit log')).fill(admin.name)
    await main.getByLabel(t('Action')).selectOption({ label: t('Evaluated a submission') })
    await expect(row(admin.name)).toHaveCount(3)
    await expect(row(admin.name).first()).toContainText(`${second.team.name} · ${challenge.title}`)
    expect(consoleErrors).toEqual([])
  })
