import { type ElementHandle, expect, type Locator, type Page } from '@playwright/test'
import type { Language, Translate } from './texts.ts'

/** A running server with the demo's data. */
export interface Site {
  url: string
  inboxUrl: string
}

export interface Variant {
  theme: 'light' | 'dark'
  language: Language
  width: number
  /** The browser's font size, as a factor of the default. */
  textScale?: number
}

/** A page in one variant, and who is signed in. */
export interface Crawler {
  page: Page
  consoleErrors: string[]
  site: Site
  variant: Variant
  t: Translate
  /** The signed-in user's token, for REST calls beside the page. */
  token: string | null
  /** Unique per crawler, so that each uses its own accounts and addresses. */
  index: number
  /** The element that opened each overlay, where the focus must return, and the number of overlays open before. */
  openers: { element: ElementHandle; overlaysBefore: number }[]
}

/** Brings the page to a state and waits for it. */
export type Step = (crawler: Crawler) => Promise<void>

interface StopOptions {
  /** The part to inspect, if the rest was inspected before; the whole page by default. */
  within?: string
  /** Skips the stop where this is false. */
  when?: (variant: Variant) => boolean
  /** The page stays in its loading state. */
  isLoading?: boolean
  /** The overlay stays open for the next stop. */
  keepOpen?: boolean
}
export type Stop = StopOptions & { name: string; show: Step }

export const stop = (name: string, show: Step, options: StopOptions = {}): Stop => ({ name, show, ...options })
export const openStop = (name: string, show: Step): Stop => stop(name, show, { keepOpen: true })
export const stopIn = (within: string, name: string, show: Step): Stop => stop(name, show, { within })

export const DEMO_PASSWORD = 'Demo-2026'
export const memberEmail = (number: number): string => `member${String(number).padStart(2, '0')}@demo.community.local`
export const isNarrow = ({ width, textScale = 1 }: Variant): boolean => width < 1120 * textScale

export const dialogOf = (page: Page): Locator => page.locator('[role=dialog], [role=alertdialog]').last()
/** A button by its text in the crawler's language. */
export const buttonIn = (container: Page | Locator, t: Translate, name: string): Locator =>
  container.getByRole('button', { name: t(name), exact: true })
export const submitOf = (page: Page): Locator => dialogOf(page).locator('button[type=submit]')

/** Sends a window event, as features do. */
export async function emit(page: Page, name: string, detail: object | null = null): Promise<void> {
  await page.evaluate(([event, eventDetail]) => window.dispatchEvent(new CustomEvent(event, { detail: eventDetail })), [
    name,
    detail,
  ] as const)
}

/** Sends a window event that opens a dialog. */
export async function openByEvent(page: Page, name: string, detail: object | null = null): Promise<void> {
  await emit(page, name, detail)
  await expect(dialogOf(page)).toBeVisible()
}

/** Opens the account settings from the menu of the account, on narrow screens from that of the page. */
export async function openAccountSettings(page: Page, t: Translate = (id) => id): Promise<void> {
  const menu = page.getByRole('banner').getByRole('button', { name: t('Menu'), exact: true })
  const account = page.locator('header [aria-haspopup=menu]')
  // After a reload the header comes late: which of the two buttons it shows is known only then.
  await expect(menu.or(account).filter({ visible: true })).toHaveCount(1)
  const isNarrowPage = await menu.isVisible()
  await (isNarrowPage ? menu : account).click()
  await page.getByRole(isNarrowPage ? 'button' : 'menuitem', { name: t('Account settings') }).click()
  await expect(page.getByRole('dialog', { name: t('Account settings') })).toBeVisible()
}

const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu]'

/** Presses the button that opens a dialog or a menu. */
export async function openOverlay({ page, openers }: Crawler, opener: Locator): Promise<void> {
  const overlays = page.locator(OVERLAYS)
  const overlaysBefore = await overlays.count()
  const element = await opener.elementHandle()
  if (element) openers.push({ element, overlaysBefore })
  await opener.click()
  await expect(overlays).not.toHaveCount(overlaysBefore)
}

/** Opens an overlay by a button in a part of the page. */
export const openByButton =
  (within: string, name: string): Step =>
  (crawler) =>
    openOverlay(crawler, crawler.page.locator(within).getByRole('button', { name: crawler.t(name) }))

/** Finds a team among the cards of the page and opens it. */
export async function openTeamCard(crawler: Crawler, name: string): Promise<void> {
  const { page, t } = crawler
  await page.getByLabel(t('Search teams')).fill(name)
  await openOverlay(crawler, page.locator('#teams').getByRole('button', { name, exact: true }))
}

/** Submits the open form as it is: its first invalid field takes the focus. */
export async function submitInvalid({ page }: Crawler): Promise<void> {
  await submitOf(page).click()
  await expect(dialogOf(page).locator('[aria-invalid=true]').first()).toBeFocused()
}

/** Opens the form of a button in the open dialog and submits it empty. */
export const submitEmptyForm =
  (button: string): Step =>
  async (crawler) => {
    await buttonIn(dialogOf(crawler.page), crawler.t, button).click()
    await submitInvalid(crawler)
  }

/** Waits until nothing loads or moves and the fonts are loaded. */
export async function expectSettled(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expectAtRest(page)
}

const REST_TIMEOUT_MS = 15_000

/** Waits for the end of all finite animations, ignoring loading. Throws with those still running after the timeout. */
export async function expectAtRest(page: Page): Promise<void> {
  const moving = await page.evaluate(async (timeoutMs) => {
    const targetOf = ({ effect }: Animation) => (effect instanceof KeyframeEffect ? effect.target : null)
    const finite = document.getAnimations().filter((animation) => {
      const end = Number(animation.effect?.getComputedTiming().endTime ?? Number.POSITIVE_INFINITY)
      // Skipped content (content-visibility) is not rendered, so its animations do not advance.
      return Number.isFinite(end) && targetOf(animation)?.checkVisibility({ contentVisibilityAuto: true })
    })
    const allFinished = Promise.all([
      document.fonts.ready,
      ...finite.map((animation) => animation.finished.catch(() => null)),
    ])
    const isAtRest = await Promise.race([
      allFinished.then(() => true),
      new Promise((resolve) => setTimeout(resolve, timeoutMs, false)),
    ])
    if (isAtRest) return null
    const stillMoving = finite
      .filter(({ playState }) => playState !== 'finished')
      .map((animation) => `${animation.playState}: ${targetOf(animation)?.outerHTML.slice(0, 160)}`)
    return [`fonts: ${document.fonts.status}`, ...stillMoving]
  }, REST_TIMEOUT_MS)
  expect(moving, 'the page comes to rest').toBeNull()
}

/** Closes the overlays, the topmost first; expects the focus to return to the opener, or at least to some element. */
export async function closeOverlays({ page, openers }: Crawler): Promise<void> {
  const overlays = page.locator(OVERLAYS)
  while ((await overlays.count()) > 0) {
    const open = await overlays.elementHandles()
    const isOneClosed = async () => {
      const states = await Promise.all(open.map((overlay) => overlay.evaluate((element) => element.isConnected)))
      return states.includes(false)
    }
    await page.keyboard.press('Escape')
    // Their number may stay the same: when the password dialog of an action is cancelled, the dialog before it opens again.
    await expect.poll(isOneClosed, { message: 'Escape closes an overlay' }).toBe(true)
    const opener = openers.at(-1)
    const isBack = opener !== undefined && (await overlays.count()) <= opener.overlaysBefore
    if (isBack) openers.pop()
    const target = isBack && (await opener.element.evaluate((element) => element.isConnected)) ? opener.element : null
    await expect
      .poll(() => page.evaluate(describeFocus, target), { message: 'the focus goes back to what opened it' })
      .toBe(target ? 'at the opener' : 'somewhere')
  }
  openers.length = 0
}

function describeFocus(opener: Node | null): string {
  const { activeElement } = document
  if (opener) return activeElement === opener ? 'at the opener' : `at ${activeElement?.outerHTML.slice(0, 200)}`
  return activeElement === null || activeElement === document.body ? 'lost' : 'somewhere'
}
