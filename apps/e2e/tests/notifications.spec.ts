import { expect } from '@playwright/test'
import { ADMIN } from '@community/testing/server'
import { openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { openAdmin, sampledAdminVariants } from './admin-steps.ts'
import { applyToChallenge, evaluateSubmission, findChallenge, openApplication } from './challenge-steps.ts'
import { callApi, createChallenge, createTeam, openApp, randomWord, registerMember } from './steps.ts'
import { expectToast, joinTeam, openVariant, sampledVariants } from './team-steps.ts'

/** A chef whose work was rejected, and a member of the team. */
async function rejectWork() {
  const [chef, member, challenge] = await Promise.all([registerMember(), registerMember('Lina'), createChallenge()])
  const team = await createTeam(chef)
  await joinTeam(team, member)
  const submission = await applyToChallenge(chef, team, challenge)
  await evaluateSubmission(submission, { status: 'rejected', feedback: 'Please add the source.' })
  return { chef, member, challenge, team }
}

for (const variant of sampledVariants('verdict'))
  test(`verdict, ${variant.name}: the chef finds it in the inbox and is led to the dashboard`, async ({ browser }) => {
    const { chef, challenge } = await rejectWork()
    const { page, consoleErrors, t } = await openVariant(browser, variant, { as: chef })
    const bell = page.getByRole('banner').getByRole('button', { name: t('Notifications') })
    await expect(page).toHaveTitle(/^\(\d+\) /)
    await bell.click()
    const panel = page.getByRole('dialog', { name: t('Notifications') })
    const entry = panel.getByRole('listitem').filter({ hasText: challenge.title }).filter({ hasText: 'Please add' })
    await expect(entry).toBeVisible()
    await expectAccessible(page)
    await entry.getByRole('link').click()
    await expect(panel).toBeHidden()
    await expect(page.getByRole('heading', { level: 1, name: t('Dashboard') })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await bell.click()
    await expect(entry.getByRole('button', { name: t('{notification, select, other {Mark as unread}}') })).toBeVisible()
    await page.getByRole('button', { name: t('See all notifications') }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('Notifications') })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await expectAccessible(page)
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: t('Dashboard') })).toBeVisible()
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('inbox'))
  test(`inbox, ${variant.name}: moves by keys, marks one and all as read, and undoes it`, async ({ browser }) => {
    const { chef, challenge } = await rejectWork()
    const { page, consoleErrors, t } = await openVariant(browser, variant, { as: chef, at: '/#notifications' })
    const list = page.getByRole('list', { name: t('Notifications') })
    const entry = list.getByRole('listitem').filter({ hasText: challenge.title }).filter({ hasText: 'Please add' })
    await expect(entry).toBeVisible()
    await page.keyboard.press('j')
    await expect(list.getByRole('link').first()).toBeFocused()
    await entry.getByRole('link').focus()
    await page.keyboard.press('u')
    await expect(entry.getByRole('button', { name: t('{notification, select, other {Mark as unread}}') })).toBeVisible()
    await page.keyboard.press('u')
    await expect(entry.getByRole('button', { name: t('{notification, select, other {Mark as read}}') })).toBeVisible()
    await page.getByRole('button', { name: t('Mark all as read') }).click()
    // Challenges of other journeys may notify meanwhile: only what was in the list is marked.
    const joined = list.getByRole('listitem').filter({ hasText: 'Lina' })
    for (const row of [entry, joined])
      await expect(row.getByRole('button', { name: t('{notification, select, other {Mark as unread}}') })).toBeVisible()
    await page.getByRole('button', { name: t('Undo') }).click()
    await expect(entry.getByRole('button', { name: t('{notification, select, other {Mark as read}}') })).toBeVisible()
    await expect(page).toHaveTitle(/^\(\d+\) /)
    expect(consoleErrors).toEqual([])
  })

test('inbox: a French sentence that begins with an Arabic name runs from left to right', async ({ browser }) => {
  const [chef, member] = await Promise.all([registerMember(), registerMember('ليلى العلوي')])
  await joinTeam(await createTeam(chef), member)
  const { page } = await openApp(browser, { as: chef, at: '/#notifications', locale: 'fr-FR' })
  // The innermost element around the sentence.
  const sentence = page.locator('.notification-row').getByText(`${member.name}\u2069 a rejoint`)
  await expect(sentence).toHaveCSS('direction', 'ltr')
})

for (const variant of sampledVariants('preferences of notifications'))
  test(`preferences, ${variant.name}: a channel that is turned off stays off`, async ({ browser }) => {
    const person = await registerMember()
    const { page, consoleErrors, t } = await openVariant(browser, variant, { as: person })
    const open = async () => {
      await openAccountSettings(page, t)
      await page.getByRole('tab', { name: t('Notifications') }).click()
      const row = page.locator('tr, details').filter({ hasText: t('A new challenge') })
      await expect(row).toBeVisible()
      // On phones the row unfolds.
      const summary = row.locator('summary')
      if (await summary.isVisible()) await summary.click()
      return row.locator('input[type=checkbox]').first()
    }
    const inApp = await open()
    await expect(inApp).toBeChecked()
    await inApp.uncheck()
    await expectToast(page, t('Preferences saved'))
    await expectAccessible(page)
    await page.reload()
    await expect(await open()).not.toBeChecked()
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('reminder'))
  test(`reminder, ${variant.name}: a member asks for one in the challenge’s details, and takes it back`, async ({
    browser,
  }) => {
    const [chef, member, challenge] = await Promise.all([registerMember(), registerMember('Lina'), createChallenge()])
    await joinTeam(await createTeam(chef), member)
    const { page, consoleErrors, t } = await openVariant(browser, variant, { as: member })
    const openDetails = async () => {
      const card = await findChallenge(page, challenge.title, t)
      await card.getByRole('button', { name: challenge.title, exact: true }).click()
      return page.getByRole('dialog').getByRole('button', { name: t('Remind me') })
    }
    const remind = await openDetails()
    await expect(remind).toHaveAttribute('aria-pressed', 'false')
    await remind.click()
    await expectToast(page, t('Reminder set'))
    await expect(remind).toHaveAttribute('aria-pressed', 'true')
    await expectAccessible(page)
    await page.reload()
    await expect(await openDetails()).toHaveAttribute('aria-pressed', 'true')
    await remind.click()
    await expectToast(page, t('Reminder removed'))
    await expect(remind).toHaveAttribute('aria-pressed', 'false')
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('left draft'))
  test(`left draft, ${variant.name}: the team is reminded of the deadline; Undo takes it back`, async ({ browser }) => {
    const [chef, challenge] = await Promise.all([registerMember(), createChallenge()])
    const team = await createTeam(chef)
    const { page, consoleErrors, t } = await openVariant(browser, variant, { as: chef })
    const isReminded = async () => {
      const { teamIds } = await callApi<{ teamIds: string[] }>(`GET /challenges/${challenge.id}/reminder`, chef.token)
      return teamIds.includes(team.id)
    }
    const form = await openApplication(page, challenge.title, t)
    await form.getByLabel(t('Notes')).fill('Half of an idea')
    await page.keyboard.press('Escape')
    await expect(page.getByText(t('Reminder set for {team}').replace('{team}', team.name)).first()).toBeVisible()
    expect(await isReminded()).toBe(true)
    await page.getByRole('button', { name: t('Undo') }).click()
    await expectToast(page, t('Reminder removed'))
    expect(await isReminded()).toBe(false)
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledAdminVariants('announcement'))
  test(`announcement, ${variant.name}: reaches the members of a challenge’s teams`, async ({ browser }) => {
    const { member, challenge } = await rejectWork()
    const admin = await openAdmin(browser, variant, ADMIN, 'Announcements')
    const { page, t, dialog, main } = admin
    const title = `Jury ${randomWord()}`
    await main.getByRole('button', { name: t('New announcement') }).click()
    const form = dialog('New announcement')
    await form.getByLabel(t('Audience')).selectOption('challenge')
    await form.getByLabel(t('Challenge'), { exact: true }).selectOption({ label: challenge.title })
    const count = variant.language === 'ar' ? 'سيصل الإشعار إلى شخصين.' : '2 people will be notified.'
    await expect(form.getByText(count)).toBeVisible()
    await form.getByLabel(t('Title'), { exact: true }).fill(title)
    await form.locator('textarea').fill('Come on **Friday**.')
    await expectAccessible(page)
    await form.getByRole('button', { name: t('Send announcement') }).click()
    await admin.confirmWithPassword('Send announcement')
    await admin.expectToast('Announcement sent')
    await expect(admin.row(title)).toBeVisible()

    const reader = await openApp(browser, { as: member, at: '/#notifications' })
    await expect(async () => {
      await reader.page.reload()
      await expect(reader.page.getByRole('link', { name: title })).toBeVisible({ timeout: 2000 })
    }).toPass()
    await expect(reader.page.getByText('Friday', { exact: true })).toBeVisible()
    expect([...admin.consoleErrors, ...reader.consoleErrors]).toEqual([])
  })
