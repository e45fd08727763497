import { sampledForTier } from '@community/testing'
import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { applyToChallenge } from './challenge-steps.ts'
import { boxOf, callApi, createChallenge, createTeam, openApp, registerMember, randomWord } from './steps.ts'
import { VARIANTS, openVariant } from './team-steps.ts'

const sampledPhones = (journey: string) => sampledForTier(VARIANTS.slice(0, 2), 1, journey)
const WIDE = VARIANTS[2]
const WIDE_ARABIC = VARIANTS[3]

/** Opens the administration at one of its tabs. */
async function openAsAdmin(browser: Browser, variant: (typeof VARIANTS)[number], tab: string) {
  const opened = await openVariant(browser, variant, { as: ADMIN, at: '/#admin' })
  await opened.page.getByRole('tab', { name: opened.t(tab), exact: true }).click()
  return opened
}

/** Whether the tab is fully visible in its strip, clear of the fading ends. */
async function isFullyVisible(tabList: Locator, tab: Locator): Promise<boolean> {
  const [listBox, box] = [await boxOf(tabList), await boxOf(tab)]
  return box.x >= listBox.x - 1 && box.right <= listBox.right + 1
}

for (const variant of sampledPhones('a toast in a dialog'))
  test(`${variant.name}: a toast covers neither the title of a dialog, nor its close button, nor its buttons`, async ({
    browser,
  }) => {
    const chef = await registerMember('Sara')
    const team = await createTeam(chef)
    const { page, t } = await openVariant(browser, variant, { as: chef, at: '/#dashboard' })
    await page.getByRole('button', { name: t('Account settings') }).click()
    const dialog = page.getByRole('dialog')
    await page.route('**/trpc/users.updateProfile*', (route) => route.abort())
    await dialog.getByLabel(t('Full Name')).fill('Sara El Amrani')
    await dialog
      .getByRole('button', { name: t('Save') })
      .first()
      .click()
    const toast = await boxOf(dialog.locator('.toast'))
    const title = await boxOf(dialog.getByRole('heading', { level: 2 }).first())
    const close = await boxOf(dialog.getByRole('button', { name: t('Close') }).first())
    expect(toast.y).toBeGreaterThan(Math.max(title.bottom, close.bottom))
    expect(toast.bottom).toBeLessThanOrEqual(variant.viewport.height)
    await page.keyboard.press('Escape')

    await page.route('**/trpc/teams.leave*', (route) => route.abort())
    await page
      .getByRole('region', { name: team.name })
      .getByRole('button', { name: t('Leave as Chef') })
      .click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('button', { name: t('Leave as Chef') }).click()
    const questionToast = await boxOf(question.locator('.toast').last())
    expect(questionToast.bottom).toBeLessThanOrEqual(
      (await boxOf(question.getByRole('button', { name: t('Leave as Chef') }))).y,
    )
  })

for (const variant of sampledPhones('tabs that fade'))
  test(`${variant.name}: tabs that do not fit fade, and the keyboard brings them into view`, async ({ browser }) => {
    const { page, t } = await openAsAdmin(browser, variant, 'Overview')
    const tabList = page.getByRole('main').getByRole('tablist').first()
    const tabs = tabList.getByRole('tab')
    await expect(tabList).toHaveAttribute('data-hides-after', '')
    await expect(tabList).not.toHaveAttribute('data-hides-before')
    await expect(tabList).toHaveCSS('mask-image', /gradient/)
    await page.keyboard.press('End')
    await expect(tabs.last()).toBeFocused()
    await expect(tabList).toHaveAttribute('data-hides-before', '')
    await expect(tabList).not.toHaveAttribute('data-hides-after')
    await expect.poll(() => isFullyVisible(tabList, tabs.last())).toBe(true)
    // A reload restores the selected tab.
    await page.reload()
    await expect(page.getByRole('tab', { name: t('Settings'), selected: true })).toBeVisible()
    await expect.poll(() => isFullyVisible(tabList, tabs.last())).toBe(true)
    await tabs.last().focus()
    await page.keyboard.press('Home')
    await expect.poll(() => isFullyVisible(tabList, tabs.first())).toBe(true)
  })

for (const variant of sampledPhones('email address'))
  test(`${variant.name}: shows the user’s full email address, and a draft’s notice on one line`, async ({
    browser,
  }) => {
    const person = await registerMember('Fatima-Zahra')
    const { page, t } = await openVariant(browser, variant, { as: person, at: '/#dashboard' })
    const address = page.getByRole('main').getByText(person.email)
    await address.evaluate((element) => {
      element.textContent = 'fatima-zahra.benabdelkrim.el-ouazzani@student.universite-mohammed-premier.example.ma'
    })
    expect(await page.getByText('benabdelkrim').evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(
      0,
    )

    const openWizard = () => page.evaluate(() => window.dispatchEvent(new CustomEvent('openCreateTeamModal')))
    await openWizard()
    await page.getByRole('dialog').getByLabel(t('Full Name')).fill('Fatima-Zahra El Ouazzani')
    await page.keyboard.press('Escape')
    await openWizard()
    const draftNotice = await boxOf(page.getByText(t('We kept your draft.')))
    const button = await boxOf(page.getByRole('button', { name: t('Start over') }))
    expect(draftNotice.height).toBeLessThan(40)
    expect(Math.abs(draftNotice.y + draftNotice.height / 2 - (button.y + button.height / 2))).toBeLessThan(4)
  })

test('window events without a detail reload the dashboard and open the wizard over it', async ({ browser }) => {
  const person = await registerMember('Nour')
  const { page, consoleErrors } = await openApp(browser, { as: person, at: '/#dashboard' })
  await expect(page.getByText('No Teams Yet')).toBeVisible()
  const dispatch = (name: string) => page.evaluate((event) => window.dispatchEvent(new CustomEvent(event)), name)
  const first = await createTeam(person)
  await dispatch('teamCreated')
  await expect(page.getByRole('region', { name: first.name })).toBeVisible()
  await expect(page.getByRole('region', { name: 'My teams' })).toBeHidden()
  await createTeam(person)
  await dispatch('submissionCreated')
  await expect(page.getByRole('region', { name: 'My teams' })).toBeVisible()
  await dispatch('openCreateTeamModal')
  await expect(page.getByRole('dialog', { name: 'Create New Team' })).toBeVisible()
  await expect(page).toHaveURL(/#dashboard$/)
  expect(consoleErrors).toEqual([])
})

test('a labelled button expands a team’s members for an administrator', async ({ browser }) => {
  const chef = await registerMember('Sara')
  const team = await createTeam(chef)
  const { page } = await openAsAdmin(browser, WIDE, 'Teams')
  await page.getByRole('searchbox', { name: 'Search teams' }).fill(team.name)
  const panel = page.getByRole('article', { name: team.name })
  const members = panel.getByRole('button', { name: 'Members', exact: true })
  await expect(members).toHaveAttribute('aria-expanded', 'false')
  await members.focus()
  await page.keyboard.press('Enter')
  await expect(members).toHaveAttribute('aria-expanded', 'true')
  await expect(panel.getByText(chef.email)).toBeVisible()
})

test('submissions at 1280 px: names take no more than two lines, and the details show a link’s full URL', async ({
  browser,
}) => {
  const chef = await registerMember('Sara El Amrani')
  const team = await createTeam(chef, `Association des développeurs ${randomWord()}`)
  const challenge = await createChallenge()
  await applyToChallenge(chef, team, challenge)
  const { submissions } = await callApi<{ submissions: { content: string }[] }>(
    `GET /teams/${team.id}/submissions`,
    chef.token,
  )
  const { page } = await openAsAdmin(browser, WIDE, 'Submissions')
  await page.getByRole('searchbox').fill(team.name)
  const row = page.getByRole('row').filter({ hasText: team.name })
  const name = row.getByText(team.name)
  const lines = (element: Element) =>
    element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight)
  expect(await name.evaluate(lines)).toBeLessThan(2.5)
  const table = page.getByRole('table')
  expect(
    await table.evaluate((element) => element.scrollWidth - (element.parentElement?.clientWidth ?? 0)),
  ).toBeLessThanOrEqual(0)
  await row.getByRole('button', { name: 'Details' }).click()
  const address = page.getByRole('dialog').getByText(submissions[0]?.content ?? '', { exact: true })
  await expect(address).toBeVisible()
  await expect(address).toHaveCSS('user-select', 'all')
  expect(await address.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})

test('in Arabic the arrow of a list stands beside its value, also where that reads left to right', async ({
  browser,
}) => {
  const { page, t } = await openVariant(browser, WIDE_ARABIC, { as: await registerMember() })
  await openAccountSettings(page, t)
  await page.getByRole('tab', { name: t('Notifications') }).click()
  for (const [label, direction] of [
    ['Time zone', 'ltr'],
    ['Weekly digest on', 'rtl'],
  ] as const) {
    const list = page.getByLabel(t(label))
    await expect(list).toHaveCSS('direction', direction)
    const [box, arrow] = [await boxOf(list), await boxOf(list.locator('+ svg'))]
    const fromEnd = direction === 'ltr' ? box.right - arrow.right : arrow.x - box.x
    expect(fromEnd).toBeGreaterThan(0)
    expect(fromEnd).toBeLessThan(20)
  }
})

test('the Arabic brand is set in the text face; the large heading keeps its own', async ({ browser }) => {
  const { page } = await openVariant(browser, WIDE_ARABIC)
  const fontFamily = (part: Locator) => part.evaluate((element) => getComputedStyle(element).fontFamily)
  const brand = (container: Page | Locator) => container.getByText('المجتمع', { exact: true }).first()
  expect(await fontFamily(brand(page.getByRole('banner')))).not.toContain('Reem Kufi')
  expect(await fontFamily(brand(page.getByRole('contentinfo')))).not.toContain('Reem Kufi')
  expect(await fontFamily(page.getByRole('heading', { level: 1 }))).toContain('Reem Kufi')
})
