import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { passwordIn, promoteToAdmin } from './admin-steps.ts'
import { applyToChallenge, findChallenge, evaluateSubmission, openApplication } from './challenge-steps.ts'
import { expectSound } from './sound.ts'
import { createChallenge, createTeam, registerMember, type Someone, word } from './steps.ts'
import { expectToast, joinTeam, type Look, looksOf, openIn, createTeamOfThree } from './team-steps.ts'

type Say = (id: string) => string

/** Somebody's own dashboard, loaded. */
async function openDashboard(browser: Browser, look: Look, person?: Someone) {
  const opened = await openIn(browser, look, { at: '/#dashboard', ...(person && { as: person }) })
  if (person) await expect(opened.page.getByText(opened.say('Challenges completed'))).toBeVisible()
  return opened
}

const panelOf = (page: Page, team: { name: string }) => page.getByRole('region', { name: team.name, exact: true })
/** Shows who is in the team. */
const showMembers = (panel: Locator, say: Say) => panel.getByRole('tab', { name: say('Members') }).click()
const newsOn = (page: Page, say: Say) => page.getByRole('region', { name: say('Needs your attention') })
/** Other journeys' challenges are near their deadlines too, and five lines show at first. */
async function showAllNews(news: Locator, say: Say): Promise<void> {
  await expect(news).toBeVisible()
  const all = news.getByRole('button', { name: new RegExp(say('Show all {count}').replace('{count}', '.*')) })
  if (await all.isVisible()) await all.click()
}
const inTwoDays = () => new Date(Date.now() + 2 * 86_400_000 - 60_000).toISOString()

for (const look of looksOf('visitor'))
  test(`visitor and newcomer, ${look.name}: asked to sign in, then shown the way to a first team`, async ({
    browser,
  }) => {
    const visit = await openDashboard(browser, look)
    await expect(visit.page.getByText(visit.say('Please Sign In'))).toBeVisible()
    await expectSound(visit.page)
    await visit.page
      .getByRole('main')
      .getByRole('button', { name: visit.say('Sign In') })
      .click()
    await expect(visit.page.getByRole('dialog')).toBeVisible()

    const person = await registerMember('Nour Haddad')
    const { page, complaints, say } = await openDashboard(browser, look, person)
    await expect(page.getByText(person.email)).toBeVisible()
    await expect(page.getByText(say('No Teams Yet'))).toBeVisible()
    await expect(newsOn(page, say)).toBeHidden()
    await expectSound(page)
    await page.getByRole('button', { name: say('Browse teams') }).click()
    await expect(page.locator('#teams')).toBeInViewport()
    expect([...visit.complaints, ...complaints]).toEqual([])
  })

for (const look of looksOf('member'))
  test(`member, ${look.name}: reads news, feedback and grade, and leaves`, async ({ browser }) => {
    const { chef, mates, team } = await createTeamOfThree()
    const [mate] = mates
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

    const { page, complaints, say } = await openDashboard(browser, look, mate)
    const news = newsOn(page, say)
    const unread = news.getByRole('listitem').filter({ hasText: bad.title })
    await showAllNews(news, say)
    await expect(news.getByRole('link', { name: near.title })).toBeVisible()
    await expect(unread.getByText('Please add the source.')).toBeVisible()
    await expectSound(page)
    await unread.getByRole('button', { name: say('Mark as read') }).click()
    await expect(unread).toBeHidden()
    await page.reload()
    await showAllNews(news, say)
    await expect(news.getByRole('listitem').filter({ hasText: good.title })).toBeVisible()
    await expect(unread).toBeHidden()

    const panel = panelOf(page, team)
    const work = panel.getByRole('listitem').filter({ has: page.getByRole('link', { name: good.title }) })
    await expect(work.getByText('92/100')).toBeVisible()
    await expect(work.getByRole('img', { name: say('Grade {grade}').replace('{grade}', 'A') })).toBeVisible()
    await expect(work.getByText('Clear and fast.')).toBeVisible()
    // Neither the chef nor who submitted it.
    await expect(panel.getByText('Please add the source.')).toBeVisible()
    await expect(panel.getByRole('button', { name: say('Re-apply') })).toBeHidden()
    await expect(panel.getByRole('button', { name: say('Transfer Ownership') })).toBeHidden()
    await showMembers(panel, say)
    await expect(panel.getByText(chef.email)).toBeVisible()
    await expect(panel.getByRole('button', { name: say('Remove Member') })).toBeHidden()
    await expectSound(page)

    await panel.getByRole('button', { name: say('Leave Team') }).click()
    const question = page.getByRole('alertdialog', { name: say('Leave Team') })
    await question.getByRole('button', { name: say('Cancel') }).click()
    await panel.getByRole('button', { name: say('Leave Team') }).click()
    const reloaded = page.waitForEvent('load')
    await question.getByRole('button', { name: say('Leave Team') }).click()
    await reloaded
    await expectToast(page, say('You have successfully left the team.'))
    await expect(page).toHaveURL(/#dashboard$/)
    await expect(page.getByText(say('No Teams Yet'))).toBeVisible()
    expect(complaints).toEqual([])
  })

for (const look of looksOf('chef of two teams'))
  test(`chef of two teams, ${look.name}: picks one, re-applies, takes out, hands on, goes`, async ({ browser }) => {
    const { chef, mates, team } = await createTeamOfThree()
    const [mate, other] = mates
    const second = await createTeam(chef, `Zellige ${word()} ${word()}`)
    const third = await registerMember('Ines')
    for (const one of [mate, third]) await joinTeam(second, one)
    const challenge = await createChallenge()
    await evaluateSubmission(await applyToChallenge(chef, second, challenge), {
      status: 'rejected',
      feedback: 'Please add the source.',
    })

    const { page, complaints, say } = await openDashboard(browser, look, chef)
    const picker = page.getByRole('region', { name: say('My Teams') })
    await expect(panelOf(page, team)).toBeVisible()
    await picker.getByRole('button', { name: second.name }).click()
    const panel = panelOf(page, second)
    await expect(panel.getByRole('heading', { name: second.name })).toBeFocused()
    await expectSound(page)

    await panel.getByRole('button', { name: say('Re-apply') }).click()
    const form = page.getByRole('dialog', { name: say('Re-apply') })
    await expect(form.getByText('Please add the source.')).toBeVisible()
    await form.getByRole('button', { name: say('Re-apply') }).click()
    await expectToast(page, say('Submission status updated to pending. Waiting for admin review.'))
    await expect(form).toBeHidden()
    const work = panel.getByRole('listitem').filter({ has: page.getByRole('link', { name: challenge.title }) })
    await expect(work.getByText(say('Waiting for admin review.'))).toBeVisible()

    await showMembers(panel, say)
    await panel.getByRole('button', { name: `${say('Remove Member')} ${third.name}` }).click()
    const question = page.getByRole('alertdialog', { name: say('Remove Member') })
    const takenOut = page.waitForEvent('load')
    await question.getByRole('button', { name: say('Remove Member') }).click()
    await takenOut
    await expectToast(page, say('Member Removed'))
    // Still the team that was picked.
    await showMembers(panel, say)
    await expect(panel.getByText(mate.email)).toBeVisible()
    await expect(panel.getByText(third.email)).toBeHidden()

    await panel.getByRole('button', { name: say('Transfer Ownership') }).click()
    const transfer = page.getByRole('dialog', { name: say('Transfer Ownership') })
    await transfer.getByRole('radio', { name: mate.name }).check()
    await transfer.getByRole('button', { name: say('Transfer'), exact: true }).click()
    await expectToast(page, say('Ownership Transferred'))
    await expect(panel.getByRole('button', { name: say('Leave Team') })).toBeVisible()
    await expect(panel.getByRole('button', { name: say('Remove Member') })).toBeHidden()

    await picker.getByRole('button', { name: team.name }).click()
    await showMembers(panelOf(page, team), say)
    await panelOf(page, team)
      .getByRole('button', { name: `${say('Remove Member')} ${chef.name}` })
      .click()
    const successor = page.getByRole('dialog', { name: say('Select New Owner') })
    await expect(successor.getByRole('radio', { name: say('The oldest member, automatically') })).toBeChecked()
    await expectSound(page)
    await successor.getByRole('radio', { name: other.name }).check()
    const gone = page.waitForEvent('load')
    await successor.getByRole('button', { name: say('Remove Member') }).click()
    await gone
    await expectToast(page, say('Member Removed'))
    // One team is left: it is shown without a picker.
    await expect(panel).toBeVisible()
    await expect(picker).toBeHidden()

    const next = await openDashboard(browser, look, other)
    await expect(panelOf(next.page, team).getByRole('button', { name: next.say('Leave as Chef') })).toBeVisible()
    expect([...complaints, ...next.complaints]).toEqual([])
  })

for (const look of looksOf('administrator who is chef'))
  test(`administrator who is chef, ${look.name}: applies, renames, takes out and hands on, with the password`, async ({
    browser,
  }) => {
    const { chef, mates, team } = await createTeamOfThree()
    const [mate, other] = mates
    await promoteToAdmin(chef)
    const challenge = await createChallenge({ deadline: inTwoDays() })
    const { page, complaints, say } = await openDashboard(browser, look, chef)
    const news = newsOn(page, say)
    await showAllNews(news, say)
    await news.getByRole('link', { name: challenge.title }).click()
    const form = await openApplication(page, challenge.title, say)
    await form.getByLabel(say('Project link')).fill('https://github.com/atlas-lions/bus-times')
    await form.getByRole('button', { name: say('Submit Application') }).click()
    await expectToast(page, say('Application submitted successfully!'))
    const card = await findChallenge(page, challenge.title, say)
    await expect(card.getByRole('button', { name: say('Already Applied') })).toBeVisible()

    /** Gives the password in the dialog that asks for it. */
    const confirmWith = async (password: string, button: string) => {
      const asked = page.getByRole('dialog').filter({ has: passwordIn(page, say) })
      await passwordIn(asked, say).fill(password)
      await asked.getByRole('button', { name: say(button), exact: true }).click()
    }
    await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToDashboard')))
    const panel = panelOf(page, team)
    await panel.getByRole('button', { name: say('Manage Team') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('Rename') })
      .click()
    const naming = page.getByRole('dialog', { name: say('Rename Team') })
    const name = `Zellige ${word()} ${word()}`
    await naming.getByRole('textbox').fill(name)
    await naming.getByRole('button', { name: say('Rename') }).click()
    await expect(passwordIn(page, say)).toBeFocused()
    await expectSound(page)
    const renamed = page.waitForEvent('load')
    await confirmWith(chef.password, 'Rename')
    await renamed
    await expectToast(page, say('Team Renamed'))

    const again = panelOf(page, { name })
    await showMembers(again, say)
    await again.getByRole('button', { name: `${say('Remove Member')} ${other.name}` }).click()
    await confirmWith('Not-the-one-1', 'Remove Member')
    await expect(passwordIn(page, say)).toHaveAccessibleDescription(say('The password you entered is incorrect.'))
    const takenOut = page.waitForEvent('load')
    await confirmWith(chef.password, 'Remove Member')
    await takenOut
    await expectToast(page, say('Member Removed'))

    await again.getByRole('button', { name: say('Transfer Ownership') }).click()
    const transfer = page.getByRole('dialog', { name: say('Transfer Ownership') })
    await transfer.getByRole('radio', { name: mate.name }).check()
    await transfer.getByRole('button', { name: say('Transfer'), exact: true }).click()
    await confirmWith(chef.password, 'Transfer')
    await expectToast(page, say('Ownership Transferred'))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(again.getByRole('button', { name: say('Leave Team') })).toBeVisible()
    const next = await openDashboard(browser, look, mate)
    await expect(panelOf(next.page, { name }).getByRole('button', { name: next.say('Leave as Chef') })).toBeVisible()
    await showMembers(panelOf(next.page, { name }), next.say)
    await expect(next.page.getByText(other.email)).toBeHidden()
    expect([...complaints, ...next.complaints]).toEqual([])
  })
