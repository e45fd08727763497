import { expect, type Locator } from '@playwright/test'
import { translatorFor } from '../crawl/texts.ts'
import { test } from '../test.ts'
import { createTeam, openApp, registerMember } from './steps.ts'

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
