// What still fits at 320 px, the width of a window of 1280 px at a zoom of 400 % (WCAG 1.4.10, Reflow).
import { expect, type Locator } from '@playwright/test'
import { findClippedDialogContent, findHorizontalOverflow } from '../crawl/inspect.ts'
import { test } from '../test.ts'
import { findChallenge } from './challenge-steps.ts'
import { boxOf, callApi, createChallenge, createTeam, openApp, registerMember } from './steps.ts'
import { openVariant } from './team-steps.ts'

test('at a zoom of 400 % a dialog scrolls as a whole, down to its buttons', async ({ browser }) => {
  const chef = await registerMember('Sara')
  const team = await createTeam(chef)
  const { page } = await openApp(browser, {
    viewport: { width: 320, height: 256 },
    as: chef,
    at: '/#dashboard',
  })
  const scrollDialog = async (pixels: number) => {
    await page.mouse.move(160, 128)
    await page.mouse.wheel(0, pixels)
  }
  /** The part of the window that the element may scroll in, in px. */
  const scrollHeight = (part: Locator) =>
    part.evaluate((element) => {
      const scrolls = (one: Element) => /auto|scroll/.test(getComputedStyle(one).overflowY)
      let scroller = element.parentElement
      while (scroller && !scrolls(scroller)) scroller = scroller.parentElement
      return scroller?.clientHeight ?? 0
    })
  const isInWindow = async (part: Locator) => {
    const { y, bottom } = await boxOf(part)
    return y >= 0 && bottom <= 256
  }
  // Both at once: while the scrolling lasts, a part above the window is not below it either.
  const expectInView = (part: Locator) => expect.poll(() => isInWindow(part)).toBe(true)
  await page.getByRole('region', { name: team.name }).getByRole('button', { name: 'Leave as Chef' }).click()
  const question = page.getByRole('alertdialog')
  expect(await scrollHeight(question.getByText('You are the last member', { exact: false }))).toBeGreaterThan(200)
  await scrollDialog(2000)
  for (const name of ['Cancel', 'Leave as Chef']) await expectInView(question.getByRole('button', { name }))
  await page.keyboard.press('Escape')

  await page.evaluate(() => window.dispatchEvent(new CustomEvent('openCreateTeamModal')))
  const wizard = page.getByRole('dialog', { name: 'Create New Team' })
  expect(await scrollHeight(wizard.getByLabel('Phone'))).toBeGreaterThan(200)
  await scrollDialog(-2000)
  await expectInView(wizard.getByRole('button', { name: 'Close' }))
  await scrollDialog(5000)
  await expectInView(wizard.getByRole('button', { name: 'Next' }))
})

test('a long word without spaces widens neither a page nor a dialog', async ({ browser }) => {
  const chef = await registerMember('Sara')
  const word = 'W'.repeat(40)
  const team = await createTeam(chef, word)
  const tag = 'W'.repeat(80)
  const challenge = await createChallenge({ tags: [tag], requirements: [`https://example.ma/${word}`] })
  const viewport = { width: 320, height: 700 }
  const { page, t } = await openVariant(browser, { viewport, language: 'en' }, { as: chef })
  const expectNothingCut = async () =>
    expect([...(await findHorizontalOverflow(page)), ...(await findClippedDialogContent(page))]).toEqual([])
  const dialog = page.getByRole('dialog')

  const card = await findChallenge(page, challenge.title, t)
  await card.getByRole('button', { name: challenge.title, exact: true }).click()
  await expect(dialog.getByText(tag)).toBeVisible()
  await expectNothingCut()
  await page.keyboard.press('Escape')
  await page.goto(`/#team-${team.id}`)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText(`${word} will be deleted`, { exact: false })).toBeVisible()
  await expectNothingCut()

  const preferences = await callApi<object>('GET /notifications/preferences', chef.token)
  await page.route('**/trpc/notifications.linkedPreferences*', (route) =>
    route.fulfill({ json: { result: { data: { email: `${word}@${word}.ma`, ...preferences } } } }),
  )
  await page.goto('/#email-preferences-of-a-mail')
  await expect(page.getByRole('main').getByText(word)).toBeVisible()
  await expectNothingCut()
})
