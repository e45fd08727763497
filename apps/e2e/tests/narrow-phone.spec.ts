import { expect, type Locator } from '@playwright/test'
import { translatorFor } from '../crawl/texts.ts'
import { ADMIN } from '@community/testing/server'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { applyToChallenge, openApplication, PIXEL } from './challenge-steps.ts'
import { createChallenge, createTeam, openApp, PHONE, registerMember } from './steps.ts'
import { openVariant, VARIANTS } from './team-steps.ts'

const ARABIC_PHONE = VARIANTS[1]
const NARROW = { width: 360, height: 800 }

/** Expects that each element shows all of its text. */
async function expectUncut(elements: Locator): Promise<void> {
  await expect(elements.first()).toBeVisible()
  const cut = () =>
    elements.evaluateAll((all) =>
      all
        .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
        .map(({ textContent }) => textContent),
    )
  await expect.poll(cut).toEqual([])
}

for (const { locale, language } of [
  { locale: 'fr-FR', language: 'fr' },
  { locale: 'ar-MA', language: 'ar' },
] as const)
  test(`at 360 px in ${language}, neither the brand, nor the steps, filters and tiles are cut off`, async ({
    browser,
  }) => {
    const t = translatorFor(language)
    const person = await registerMember()
    const { page } = await openApp(browser, { viewport: NARROW, locale, as: person })
    await expectUncut(page.locator('header a[href="/"] span'))
    await expectUncut(page.getByRole('region', { name: t('What’s next') }).locator('li p'))
    const [category, difficulty] = [
      page.locator('#challenges form select').first(),
      page.locator('#challenges form select').last(),
    ]
    await expect(category).toBeVisible()
    const lefts = [await category.boundingBox(), await difficulty.boundingBox()].map((box) => box?.x)
    expect(lefts[0]).toBe(lefts[1])

    for (const experience of ['Beginner', 'Intermediate', 'Advanced', 'Expert'] as const) {
      const team = await createTeam(person, undefined, { experience })
      await page.goto(`/#team-${team.id}`)
      const dialog = page.getByRole('dialog', { name: team.name })
      await expect(dialog.getByText(t('Experience'), { exact: true })).toBeVisible()
      await expectUncut(dialog.locator('dl dd'))
      await page.keyboard.press('Escape')
    }
  })

test('in Arabic, each line of a text has its own direction, and a chosen file’s name begins at the right', async ({
  browser,
}) => {
  const [chef, challenge] = await Promise.all([registerMember(), createChallenge()])
  const team = await createTeam(chef, undefined, { description: 'نصمّم هويات بصرية.\nWe draw zellige with code.' })
  const { page, t } = await openVariant(browser, ARABIC_PHONE, { as: chef, at: `/#team-${team.id}` })
  const description = page.getByRole('dialog', { name: team.name }).getByText('We draw zellige')
  const [first, second] = await description.evaluate(({ firstChild }) => {
    const lineOf = (from: number, to: number) => {
      const range = document.createRange()
      range.setStart(firstChild as Text, from)
      range.setEnd(firstChild as Text, to)
      return range.getBoundingClientRect().toJSON() as DOMRect
    }
    const text = firstChild?.textContent ?? ''
    const start = text.indexOf('\n') + 1
    return [lineOf(start, start + 1), lineOf(text.length - 1, text.length)]
  })
  expect(second?.x, 'The full stop is after the sentence').toBeGreaterThan(first?.x ?? 0)
  await page.keyboard.press('Escape')

  const dialog = await openApplication(page, challenge.title, t)
  await dialog.getByRole('radio', { name: t('File') }).check()
  await dialog.locator('input[type=file]').setInputFiles({ name: 'work.png', mimeType: 'image/png', buffer: PIXEL })
  const textBox = (part: Locator) =>
    part.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect().right
    })
  const size = dialog.getByText(t('{size} MB', { size: '0,00' }))
  expect(await textBox(dialog.getByText('work.png'))).toBeCloseTo(await textBox(size), 0)
})

test('a touch screen has no switch for keyboard shortcuts', async ({ browser }) => {
  const challenge = await createChallenge()
  for (const chef of [await registerMember(), await registerMember()])
    await applyToChallenge(chef, await createTeam(chef), challenge)
  const { page } = await openApp(browser, { viewport: PHONE, isMobile: true, hasTouch: true, as: ADMIN, at: '/#admin' })
  await page.getByRole('button', { name: 'Review submissions' }).tap()
  await page.getByRole('button', { name: 'Evaluate' }).first().tap()
  const evaluation = page.getByRole('dialog', { name: 'Evaluate Submission' })
  await expect(evaluation.getByRole('button', { name: 'Next pending submission (J)' })).toBeVisible()
  await expect(evaluation.getByRole('button', { name: 'Keyboard shortcuts J and K' })).toBeHidden()
})

test('a long name does not make the menu or the settings wider than the screen', async ({ browser }) => {
  const person = await registerMember('Abdelrahmane-Mohammed El Idrissi Ben Abdeljalil Al Fassi')
  const { page } = await openApp(browser, { viewport: { ...PHONE, width: 320 }, as: person })
  await page.getByRole('button', { name: 'Menu' }).click()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Account settings' }).click()
  await expect(page.getByRole('dialog', { name: 'Account settings' })).toBeVisible()
  await expectAccessible(page)
})
