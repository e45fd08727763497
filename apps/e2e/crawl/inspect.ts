import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Keeps toasts from expiring during `run`: the app keeps them while its window is blurred. A fading one has no valid contrast. */
export async function withToastsHeld<T>(page: Page, run: () => Promise<T>): Promise<T> {
  await page.evaluate(() => {
    document.hasFocus = () => false
  })
  await expect(page.locator('.toast[data-state=closed]')).toHaveCount(0)
  const result = await run()
  await page.evaluate(() => {
    Reflect.deleteProperty(document, 'hasFocus')
  })
  return result
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Omits passes from the result: describing them takes as long as the check itself. */
const axeOn = (page: Page) => new AxeBuilder({ page }).options({ resultTypes: ['violations'] })

/** axe's WCAG 2.2 AA violations, a line each. Checks the main frame only, as the page has no other. */
export const axeFindings = (page: Page, within?: string): Promise<string[]> =>
  findings(axeOn(page).withTags(WCAG), within)

/** Checks colours only, because another theme changes nothing else. */
export const contrastFindings = (page: Page, within?: string): Promise<string[]> =>
  findings(axeOn(page).withRules(['color-contrast']), within)

async function findings(builder: AxeBuilder, within?: string): Promise<string[]> {
  if (within) builder.include(within)
  const { violations } = await builder.setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.any[0]?.message ?? ''}`),
  )
}

/** The elements that make the page scroll sideways. */
export function findHorizontalOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const isOutside = ({ left, right }: DOMRect) => right > clientWidth + 0.5 || left < -0.5
    /** Clipped or scrolled by an ancestor, so it does not widen the page. */
    const isClipped = (element: Element): boolean => {
      for (
        let ancestor = element.parentElement;
        ancestor && ancestor !== document.body;
        ancestor = ancestor.parentElement
      )
        if (getComputedStyle(ancestor).overflowX !== 'visible') return true
      return false
    }
    const outside = [...document.querySelectorAll('body *')].filter(
      (element) => isOutside(element.getBoundingClientRect()) && !element.matches('.sr-only') && !isClipped(element),
    )
    return [
      `sideways: ${scrollWidth - clientWidth} px`,
      ...outside.slice(-3).map((element) => `outside: ${element.outerHTML.slice(0, 160)}`),
    ]
  })
}

/** Elements in dialogs whose content is wider than they are: it is clipped or scrolls. */
export function findClippedDialogContent(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[role=dialog] *, [role=alertdialog] *')]
      .filter((element) => {
        const { overflowX, overflowY } = getComputedStyle(element)
        return overflowX !== 'visible' && overflowY !== 'hidden' && element.scrollWidth > element.clientWidth + 1
      })
      .filter((element) => element.role !== 'tablist' && !element.matches('input, .sr-only'))
      .map((element) => `cut in a dialog: ${element.outerHTML.slice(0, 160)}`),
  )
}

/** Controls smaller than `minSize` px, except links inside a sentence (WCAG 2.5.8 exempts them). */
export function findSmallTargets(page: Page, minSize: number): Promise<string[]> {
  return page.evaluate((size) => {
    const controls =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=menuitem], [role=switch]'
    const isVisible = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], [aria-hidden=true], .sr-only')
    const isText = (node: Node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== ''
    const isInSentence = (element: Element) =>
      getComputedStyle(element).display === 'inline' || [...(element.parentElement?.childNodes ?? [])].some(isText)
    /** The whole clickable area, including the label and an `::after` that covers the card. */
    const areaOf = (element: Element): { width: number; height: number } => {
      const isStretched = getComputedStyle(element, '::after').position === 'absolute'
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : null
      const isToggle = element instanceof HTMLInputElement && /^(checkbox|radio|file)$/.test(element.type)
      const area = (isStretched && element.closest('.relative')) || (isToggle && label) || element
      return area.getBoundingClientRect()
    }
    return [...document.querySelectorAll(controls)]
      .filter((element) => isVisible(element) && !isInSentence(element))
      .map((element) => ({ control: element, area: areaOf(element) }))
      .filter(({ area }) => area.height > 0 && Math.min(area.width, area.height) < size - 0.5)
      .map(
        ({ control, area }) =>
          `${Math.round(area.width)} x ${Math.round(area.height)} px: ${control.outerHTML.slice(0, 160)}`,
      )
  }, minSize)
}
