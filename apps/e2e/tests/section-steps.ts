import { expect, type Page } from '@playwright/test'
import { SECTIONS } from '../crawl/visitor.ts'

/** Waits until every section and the footer are rendered, so that the page keeps its height. */
export async function expectSectionsRendered(page: Page): Promise<void> {
  for (const section of SECTIONS) await expect(page.locator(`#${section} h2`).first()).toBeAttached()
  await expect(page.getByRole('contentinfo')).toBeAttached()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

export const topOf = (page: Page, section: string): Promise<number> =>
  page.locator(`#${section}`).evaluate((element) => Math.round(element.getBoundingClientRect().top))

/** Scrolls until the section's top is this many pixels below the window's top. */
export const scrollSectionTo = (page: Page, section: string, top: number): Promise<void> =>
  page
    .locator(`#${section}`)
    .evaluate(
      (element, targetTop) =>
        window.scrollBy({ top: element.getBoundingClientRect().top - targetTop, behavior: 'instant' }),
      top,
    )

export const currentLink = (page: Page) => page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current]')
