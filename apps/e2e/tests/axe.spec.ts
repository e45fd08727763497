import { isSampled, rotatedForTier } from '@community/testing'
import { expect } from '@playwright/test'
import { closeContext, test } from '../test.ts'
import {
  axeFindings,
  contrastFindings,
  findClippedDialogContent,
  findSmallTargets,
  findHorizontalOverflow,
  withToastsHeld,
} from '../crawl/inspect.ts'
import { expectAtRest, type Variant, type Crawler, type Stop } from '../crawl/crawler.ts'
import { openCrawler, crawl, CRAWLS, CRAWL_NAMES } from '../crawl/crawl.ts'

/** The share of the stops that axe checks in the quick tier, drawn by the run's seed. */
const AXE_SHARE = 1 / 6

type Inspect = (crawler: Crawler, stop: Stop) => Promise<string[]>

const findLayoutProblems: Inspect = async ({ page }) => [
  ...(await findHorizontalOverflow(page)),
  ...(await findClippedDialogContent(page)),
]

/** Checks everything in the crawler's theme, then only colours in the other theme. */
const axeInBothThemes: Inspect = async (crawler, stop) => {
  const { page, variant } = crawler
  const { name, within } = stop
  const layoutProblems = await findLayoutProblems(crawler, stop)
  if (!isSampled(`axe ${name} ${variant.language} ${variant.width}`, AXE_SHARE)) return layoutProblems
  return withToastsHeld(page, async () => {
    const other = variant.theme === 'light' ? 'dark' : 'light'
    const setTheme = async (theme: string) => {
      await page.evaluate((next) => {
        document.documentElement.dataset['theme'] = next
      }, theme)
      // Colours in transition belong to neither theme.
      await expectAtRest(page)
    }
    const violations = await axeFindings(page, within)
    await setTheme(other)
    const contrastViolations = await contrastFindings(page, within)
    await setTheme(variant.theme)
    return [...layoutProblems, ...violations, ...contrastViolations.map((problem) => `${other}: ${problem}`)]
  })
}

const findTouchProblems: Inspect = async (crawler, stop) => [
  ...(await findLayoutProblems(crawler, stop)),
  ...(await findSmallTargets(crawler.page, 44)),
]

interface Inspection {
  name: string
  variant: Variant
  inspect: Inspect
}
const axeInspection = (theme: Variant['theme'], language: Variant['language'], width: number): Inspection => ({
  name: `axe finds nothing: ${language}, ${width} px, light and dark`,
  variant: { theme, language, width },
  inspect: axeInBothThemes,
})
const narrowInspection = (language: Variant['language']): Inspection => ({
  name: `nothing scrolls sideways, targets of 44 px: ${language}, 320 px`,
  variant: { theme: 'light', language, width: 320 },
  inspect: findTouchProblems,
})
const INSPECTIONS: readonly Inspection[] = [
  axeInspection('light', 'en', 360),
  axeInspection('dark', 'ar', 360),
  axeInspection('dark', 'en', 1280),
  axeInspection('light', 'ar', 1280),
  axeInspection('light', 'fr', 360),
  narrowInspection('en'),
  narrowInspection('fr'),
  narrowInspection('ar'),
  {
    name: 'text twice as large still fits',
    variant: { theme: 'light', language: 'fr', width: 1280, textScale: 2 },
    inspect: findLayoutProblems,
  },
]

let crawlerIndex = 0
const CRAWL_INSPECTIONS = INSPECTIONS.flatMap((inspection) =>
  CRAWL_NAMES.map((crawlName) => ({ crawlName, ...inspection })),
)
for (const { crawlName, name, variant, inspect } of rotatedForTier(CRAWL_INSPECTIONS, 2))
  test(`${crawlName}: ${name}`, async ({ playwright, launchOptions, demo }) => {
    test.setTimeout(600_000)
    crawlerIndex += 1
    const fontSize = 16 * (variant.textScale ?? 1)
    // The font size is a setting of the whole browser.
    const args = [...(launchOptions.args ?? []), `--blink-settings=defaultFontSize=${fontSize}`]
    const browser = await playwright.chromium.launch({ ...launchOptions, args })
    try {
      const crawler = await openCrawler(browser, demo, crawlName, variant, crawlerIndex)
      expect(await crawler.page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(
        `${fontSize}px`,
      )
      const problems: string[] = []
      await crawl(crawler, CRAWLS[crawlName], async (stop) => {
        for (const problem of new Set(await inspect(crawler, stop))) problems.push(`${stop.name}: ${problem}`)
      })
      expect(problems).toEqual([])
      if (crawlName !== 'failures' && crawlName !== 'outage') expect(crawler.consoleErrors).toEqual([])
    } finally {
      await Promise.all(browser.contexts().map(closeContext))
      await browser.close()
    }
  })
