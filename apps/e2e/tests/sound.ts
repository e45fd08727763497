import { expect, type Page } from '@playwright/test'
import { axeFindings } from '../walk/inspect.ts'
import { atRest } from '../walk/scene.ts'

/** What is shown fits the page's width, and axe finds nothing against WCAG 2.2 AA. */
export async function expectSound(page: Page): Promise<void> {
  // A toast on its way in or out has no contrast worth measuring: under the pointer one stays as it is.
  const toast = page.locator('.toast[data-state=open]').first()
  if (await toast.isVisible()) await toast.hover({ timeout: 2000 }).catch(() => {})
  await atRest(page)
  const tooWide = await page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const isOutside = ({ left, right }: DOMRect) => right > clientWidth + 1 || left < -1
    return [...document.querySelectorAll('body *')]
      .filter((one) => isOutside(one.getBoundingClientRect()))
      .map((one) => one.outerHTML.slice(0, 120))
  })
  expect(tooWide, 'the page scrolls sideways').toEqual([])
  expect(await axeFindings(page)).toEqual([])
}
