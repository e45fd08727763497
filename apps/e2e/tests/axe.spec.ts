import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { demoHouse } from '../walk/demo-house.ts'
import { axeFindings, contrastFindings, cutDialogs, smallTargets, tooWide, withToastsHeld } from '../walk/inspect.ts'
import { atRest, type Look, type Scene, type Stop } from '../walk/scene.ts'
import { sceneFor, walk, WALKS, WHO, type Who } from '../walk/walk.ts'

/** Views and states x themes x directions x widths that were looked at. */
let looked = 0
let house: Awaited<ReturnType<typeof demoHouse>>
let number = 0

// One house for all, one after the other.
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  test.slow()
  house = await demoHouse()
})
test.afterAll(async () => {
  await house.stop()
  console.log(`${looked} views and states looked at by axe`)
})

type Inspect = (scene: Scene, stop: Stop) => Promise<string[]>

/** Walks and tells everything that was found, at which stop. */
async function expectSoundWalk(scene: Scene, who: Who, inspect: Inspect): Promise<number> {
  const found: string[] = []
  const stops = await walk(scene, WALKS[who], async (stop) => {
    for (const problem of new Set(await inspect(scene, stop))) found.push(`${stop.name}: ${problem}`)
  })
  await scene.page.context().close()
  expect(found).toEqual([])
  return stops
}

const otherTheme = ({ theme }: Look) => (theme === 'light' ? 'dark' : 'light')

/** Everything in the scene's theme, then what the other theme changes: its colours. */
const inBothThemes: Inspect = (scene, stop) => withToastsHeld(scene.page, () => lookTwice(scene, stop))

async function lookTwice({ page, look }: Scene, { within }: Stop): Promise<string[]> {
  const inFirst = await axeFindings(page, within)
  const draw = async (theme: string) => {
    await page.evaluate((next) => {
      document.documentElement.dataset['theme'] = next
    }, theme)
    // Colours on their way are of neither theme.
    await atRest(page)
  }
  await draw(otherTheme(look))
  const inOther = await contrastFindings(page, within)
  await draw(look.theme)
  return [...inFirst, ...inOther.map((one) => `${otherTheme(look)}: ${one}`)]
}

for (const who of WHO)
  for (const [theme, language, width] of [
    ['light', 'en', 360],
    ['dark', 'ar', 360],
    ['dark', 'en', 1280],
    ['light', 'ar', 1280],
  ] as const)
    test(`axe finds nothing: ${who}, ${language}, ${width} px, light and dark`, async ({ browser }) => {
      test.setTimeout(600_000)
      number += 1
      const scene = await sceneFor(browser, house, who, { theme, language, width }, { number })
      looked += 2 * (await expectSoundWalk(scene, who, inBothThemes))
    })

for (const who of WHO)
  for (const language of ['en', 'fr', 'ar'] as const)
    test(`nothing scrolls sideways, targets of 44 px: ${who}, ${language}, 320 px`, async ({ browser }) => {
      test.setTimeout(600_000)
      number += 1
      const scene = await sceneFor(browser, house, who, { theme: 'light', language, width: 320 }, { number })
      await expectSoundWalk(scene, who, async ({ page }) => [
        ...(await tooWide(page)),
        ...(await cutDialogs(page)),
        ...(await smallTargets(page, 44)),
      ])
    })

test.describe('in a browser with larger text', () => {
  for (const who of WHO)
    test(`text twice as large still fits: ${who}`, async ({ playwright, launchOptions }) => {
      test.setTimeout(600_000)
      number += 1
      const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32']
      const browser = await playwright.chromium.launch({ ...launchOptions, args })
      const look = { theme: 'light', language: 'fr', width: 1280, textScale: 2 } as const
      const scene = await sceneFor(browser, house, who, look, { number })
      const size = await scene.page.evaluate(() => getComputedStyle(document.documentElement).fontSize)
      expect(size).toBe('32px')
      await expectSoundWalk(scene, who, async ({ page }) => [...(await tooWide(page)), ...(await cutDialogs(page))])
      await browser.close()
    })
})
