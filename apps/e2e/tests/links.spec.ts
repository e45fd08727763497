import { expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { highlightMs, watchHighlight } from './challenge-steps.ts'
import { expectSectionsRendered, scrollSectionTo, topOf } from './section-steps.ts'
import { createChallenge, createTeam, openApp, PHONE, randomWord, registerMember, url } from './steps.ts'
import { expectToast, openOwnTeam, openVariant, sampledVariants } from './team-steps.ts'

const expectTopOfWorks = async (page: Page, top: number) => {
  await expectSectionsRendered(page)
  await expect.poll(async () => Math.abs((await topOf(page, 'works')) - top)).toBeLessThan(60)
}

test('a page opened by a link to a challenge keeps its scroll position at a reload and at Back', async ({
  browser,
}) => {
  const { id } = await createChallenge()
  const cardId = `challenge-${id}`
  const options = { viewport: PHONE, as: await registerMember(), at: `/#${cardId}` }
  const { page } = await openApp(browser, { ...options, prepare: watchHighlight(cardId) })
  const card = page.locator(`#${cardId}`)
  await highlightMs(page)
  await expect(card).not.toHaveClass(/highlight/)
  await expectSectionsRendered(page)
  await scrollSectionTo(page, 'works', -150)
  const top = await topOf(page, 'works')
  await page.reload()
  await expectTopOfWorks(page, top)
  await expect(card).not.toHaveClass(/highlight/)

  await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToDashboard')))
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.goBack()
  await expectTopOfWorks(page, top)
  await expect(card).not.toHaveClass(/highlight/)
})

for (const variant of sampledVariants('shares a team'))
  test(`on ${variant.name}: a chef shares a link to the team, and a visitor follows it to join`, async ({
    browser,
  }) => {
    const [chef, friend] = await Promise.all([registerMember(), registerMember('Lina')])
    const team = await createTeam(chef, `Atlas ${randomWord()} ${randomWord()}`)
    const { page, t } = await openOwnTeam(browser, variant, chef, team)
    await page.getByRole('button', { name: t('Invite Members') }).click()
    const share = page.getByRole('dialog', { name: t('Share'), exact: true })
    const link = share.getByRole('textbox', { name: t('Link') })
    await expect(link).toHaveValue(`${url}/#team-${team.id}`)
    await expectAccessible(page)

    const visit = await openVariant(browser, variant, { at: `/#team-${team.id}` })
    const dialog = visit.page.getByRole('dialog')
    await expect(dialog).toContainText(team.name)
    await dialog.getByRole('button', { name: t('Sign In'), exact: true }).click()
    await dialog.getByRole('button', { name: t('Continue with Email') }).click()
    await dialog.getByLabel(t('Email'), { exact: true }).fill(friend.email)
    await dialog.getByLabel(t('Password'), { exact: true }).fill(friend.password)
    await dialog.getByRole('button', { name: t('Sign In'), exact: true }).click()
    const opened = visit.page.getByRole('dialog', { name: team.name })
    await expect(opened.getByRole('button', { name: t('Join This Team') })).toBeVisible()
    await visit.page.keyboard.press('Escape')
    await visit.page.reload()
    await expectSectionsRendered(visit.page)
    await expect(opened).toBeHidden()
    expect(visit.consoleErrors).toEqual([])
  })

for (const [item, id] of [
  ['team', '00000000-0000-4000-8000-000000000000'],
  ['team', 'abc'],
  ['challenge', '00000000-0000-4000-8000-000000000000'],
  ['challenge', '0197a3c4'],
])
  test(`a link to ${item} ${id}, which does not exist, says so`, async ({ browser }) => {
    const { page } = await openApp(browser, { at: `/#${item}-${id}` })
    await expectToast(page, `This link no longer leads to a ${item}.`)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
