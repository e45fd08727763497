import { expect, type Page } from '@playwright/test'
import { axeFindings, tooWide } from '../crawl/inspect.ts'
import { expectAtRest } from '../crawl/crawler.ts'

/** What is shown fits the page's width, and axe finds nothing against WCAG 2.2 AA. */
export async function expectSound(page: Page): Promise<void> {
  // A toast on its way in or out has no contrast worth measuring: under the pointer one stays as it is.
  const toast = page.locator('.toast[data-state=open]').first()
  if (await toast.isVisible()) await toast.hover({ timeout: 2000 }).catch(() => {})
  await expectAtRest(page)
  expect(await tooWide(page), 'the page scrolls sideways').toEqual([])
  expect(await axeFindings(page)).toEqual([])
}
