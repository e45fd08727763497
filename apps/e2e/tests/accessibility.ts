import { isSampled } from '@community/testing'
import { expect, type Page, test, type TestInfo } from '@playwright/test'
import { axeFindings, findHorizontalOverflow, withToastsHeld } from '../crawl/inspect.ts'
import { expectAtRest } from '../crawl/crawler.ts'

/** The share of the checks that axe runs in, in the quick tier, drawn by the run's seed. */
const AXE_SHARE = 1 / 6
const inspections = new WeakMap<TestInfo, number>()

/** Expects no horizontal overflow and no axe violation of WCAG 2.2 AA. */
export async function expectAccessible(page: Page): Promise<void> {
  const inspection = (inspections.get(test.info()) ?? 0) + 1
  inspections.set(test.info(), inspection)
  await withToastsHeld(page, async () => {
    await expectAtRest(page)
    expect(await findHorizontalOverflow(page), 'the page scrolls sideways').toEqual([])
    if (isSampled(`axe ${test.info().titlePath.join(' ')} ${inspection}`, AXE_SHARE))
      expect(await axeFindings(page)).toEqual([])
  })
}
