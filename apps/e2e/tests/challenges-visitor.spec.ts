import { type InputOf, sampledForTier } from '@community/testing'
import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { findChallenge, highlightMs, watchHighlight } from './challenge-steps.ts'
import { expectAccessible } from './accessibility.ts'
import { createChallenge, openApp, url, randomWord } from './steps.ts'
import { sampledVariants, openVariant } from './team-steps.ts'

const challengeInput = (tag: string): Partial<InputOf<'admin.createChallenge'>> => ({
  title: `Zellige ${tag}`,
  description: `Draw the star patterns of ${tag} with code.`,
  requirements: ['Five patterns', 'Works offline', 'Arabic and French', 'A licence'],
  evaluationCriteria: ['Clarity'],
  tags: ['svg'],
  category: 'Design',
  difficulty: 'Expert',
  resources: [{ title: 'Geometry of stars', url: 'https://example.ma/stars.pdf', type: 'tutorial' }],
})

for (const variant of sampledVariants('a visitor searches'))
  test(`on ${variant.name}: a visitor searches, filters, reads and shares a challenge`, async ({ browser }) => {
    const tag = `${randomWord()} ${randomWord()}`
    const { id, title } = await createChallenge(challengeInput(tag))
    const { page, t, consoleErrors } = await openVariant(browser, variant)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const section = page.locator('#challenges')
    for (const tile of ['Total Challenges', 'Active Challenges'])
      await expect(section.getByText(t(tile), { exact: true })).toBeVisible()

    const card = await findChallenge(page, title, t, `PATTERNS of ${tag}`)
    await expect(card.getByText('Five patterns')).toBeVisible()
    await expect(card.getByText('Arabic and French')).toHaveCount(0)
    await expect(card.getByText(t('+{count} more').replace('{count}', '2'))).toBeVisible()
    await expectAccessible(page)

    await section.getByRole('searchbox').fill(tag)
    await section.getByLabel(t('Category')).selectOption('DevOps')
    await section.getByRole('button', { name: t('Apply Filters') }).click()
    await expect(section.getByText(t('No Challenges Found'))).toBeVisible()
    await section.getByRole('button', { name: t('Clear filters') }).click()
    await section.getByRole('tab', { name: t('All'), exact: true }).click()
    await section.getByRole('searchbox').fill(tag)
    await section.getByLabel(t('Category')).selectOption('Design')
    await section.getByLabel(t('Difficulty')).selectOption('Expert')
    await section.getByRole('searchbox').press('Enter')
    await expect(section.getByRole('button', { name: title, exact: true })).toBeVisible()
    await section.getByRole('tab', { name: t('My Applications') }).click()
    await expect(section.getByText(t('Please Sign In'))).toBeVisible()

    await section.getByRole('tab', { name: t('{challenges, select, other {Active}}'), exact: true }).click()
    await section.getByRole('button', { name: title, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog.getByText(`Draw the star patterns of ${tag} with code.`)).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('tab', { name: t('Requirements') }).click()
    await expect(dialog.getByText('A licence')).toBeVisible()
    await expect(dialog.getByText('Clarity')).toBeVisible()
    await dialog.getByRole('tab', { name: t('Resources') }).click()
    await expect(dialog.getByRole('link', { name: /Geometry of stars/ })).toHaveAttribute(
      'href',
      'https://example.ma/stars.pdf',
    )
    await dialog.getByRole('button', { name: t('Share {what}').replace('{what}', title) }).click()
    const share = page.getByRole('dialog', { name: t('Share'), exact: true })
    const address = `${url}/#challenge-${id}`
    await expect(share.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
      'href',
      new RegExp(encodeURIComponent(address)),
    )
    await expect(share.getByRole('link', { name: 'Telegram' })).toHaveAttribute('href', /^https:\/\/t\.me\/share/)
    await expect(share.getByRole('link', { name: 'Gmail' })).toHaveAttribute('href', /^mailto:/)
    await expectAccessible(page)
    await share.getByRole('button', { name: t('Copy Link') }).click()
    await expect(page.getByText(t('Link Copied')).first()).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    await dialog.getByRole('button', { name: t('Apply to {title}').replace('{title}', title) }).click()
    await expect(page.getByText(t('Please sign in to apply to challenges.')).first()).toBeVisible()
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('a link to a challenge shows its card for 3 seconds'))
  test(`on ${variant.name}: a link to a challenge highlights its card for 3 seconds`, async ({ browser }) => {
    const { id } = await createChallenge()
    const cardId = `challenge-${id}`
    const prepare = watchHighlight(cardId)
    const { page, consoleErrors } = await openVariant(browser, variant, { at: `/#${cardId}`, prepare })
    const card = page.locator(`#${cardId}`)
    await expect(card).toBeInViewport()
    const seconds = (await highlightMs(page)) / 1000
    expect(seconds).toBeGreaterThan(2)
    expect(seconds).toBeLessThan(5)
    await expect(card).not.toHaveClass(/highlight/)
    await expect(card).toBeInViewport()
    expect(consoleErrors).toEqual([])
  })

test('uses the share sheet of the phone if there is one', async ({ browser }) => {
  const { id, title } = await createChallenge()
  const addShareSheet = () => {
    Object.defineProperty(navigator, 'share', {
      value: (shared: object) => {
        document.title = JSON.stringify(shared)
        return Promise.resolve()
      },
    })
  }
  const { page } = await openApp(browser, { prepare: (newPage) => newPage.addInitScript(addShareSheet) })
  const card = await findChallenge(page, title, (text) => text)
  await card.getByRole('button', { name: title, exact: true }).click()
  await page.getByRole('button', { name: `Share ${title}` }).click()
  await page.getByRole('button', { name: 'Share with another app' }).click()
  await expect(page).toHaveTitle(JSON.stringify({ text: title, url: `${url}/#challenge-${id}` }))
})

const ZONES = [
  ['Africa/Casablanca', '18:30', /GMT(\+0)?$/],
  ['Asia/Kolkata', '00:00', /GMT\+5:30$/],
] as const
for (const [timezoneId, hour, offset] of sampledForTier(ZONES, 1, 'time zones'))
  test(`a deadline is shown in the viewer’s time zone with its offset: ${timezoneId}`, async ({ browser }) => {
    const deadline = new Date(Date.now() + 6 * 86_400_000)
    deadline.setUTCHours(18, 30, 0, 0)
    const { title } = await createChallenge({ deadline: deadline.toISOString() })
    const { page } = await openApp(browser, { timezoneId })
    const card = await findChallenge(page, title, (text) => text)
    const shown = card.locator('p time')
    await expect(shown).toHaveText(offset)
    await expect(shown).toContainText(`, ${hour} `)
  })
