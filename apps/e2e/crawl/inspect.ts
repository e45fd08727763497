import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Keeps toasts from expiring while `run` lasts: one that is fading out has no contrast worth measuring. The app keeps them while its window has no focus. */
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
/** What passes is not described: that takes as long as the check itself. */
const axeOn = (page: Page) => new AxeBuilder({ page }).options({ resultTypes: ['violations'] })

/** What axe finds against WCAG 2.2 AA, a line each. In the page's own frame: it has no other. */
export const axeFindings = (page: Page, within?: string): Promise<string[]> =>
  findings(axeOn(page).withTags(WCAG), within)

/** Colours alone: all that another theme changes. */
export const contrastFindings = (page: Page, within?: string): Promise<string[]> =>
  findings(axeOn(page).withRules(['color-contrast']), within)

async function findings(builder: AxeBuilder, within?: string): Promise<string[]> {
  if (within) builder.include(within)
  const { violations } = await builder.setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.any[0]?.message ?? ''}`),
  )
}

/** What makes the page scroll sideways. */
export function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const isOutside = ({ left, right }: DOMRect) => right > clientWidth + 0.5 || left < -0.5
    /** Cut or scrolled by something around it: not what widens the page. */
    const isHeld = (element: Element): boolean => {
      for (let around = element.parentElement; around && around !== document.body; around = around.parentElement)
        if (getComputedStyle(around).overflowX !== 'visible') return true
      return false
    }
    const outside = [...document.querySelectorAll('body *')].filter(
      (element) => isOutside(element.getBoundingClientRect()) && !element.matches('.sr-only') && !isHeld(element),
    )
    return [
      `sideways: ${scrollWidth - clientWidth} px`,
      ...outside.slice(-3).map((element) => `outside: ${element.outerHTML.slice(0, 160)}`),
    ]
  })
}

/** Dialogs whose content is wider than they are: they hide it, or scroll by themselves. */
export function cutDialogs(page: Page): Promise<string[]> {
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

/** Controls smaller than so many px. Links inside a sentence are as high as their line (WCAG 2.5.8 leaves them out). */
export function smallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate((size) => {
    const controls =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=menuitem], [role=switch]'
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert], [aria-hidden=true], .sr-only')
    const isText = (node: Node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== ''
    const isInSentence = (element: Element) =>
      getComputedStyle(element).display === 'inline' || [...(element.parentElement?.childNodes ?? [])].some(isText)
    /** The whole of what a press counts for: the label too, and what an ::after lays over its card. */
    const areaOf = (element: Element): { width: number; height: number } => {
      const isLaidOver = getComputedStyle(element, '::after').position === 'absolute'
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : null
      const isMark = element instanceof HTMLInputElement && /^(checkbox|radio|file)$/.test(element.type)
      const area = (isLaidOver && element.closest('.relative')) || (isMark && label) || element
      return area.getBoundingClientRect()
    }
    return [...document.querySelectorAll(controls)]
      .filter((element) => isSeen(element) && !isInSentence(element))
      .map((element) => ({ one: element, area: areaOf(element) }))
      .filter(({ area }) => area.height > 0 && Math.min(area.width, area.height) < size - 0.5)
      .map(
        ({ one, area }) => `${Math.round(area.width)} x ${Math.round(area.height)} px: ${one.outerHTML.slice(0, 160)}`,
      )
  }, least)
}
