import { type Browser, expect, type Page } from '@playwright/test'
import { emit } from '../crawl/crawler.ts'
import { withToastsHeld } from '../crawl/inspect.ts'
import { test } from '../test.ts'
import { expectSectionsRendered } from './section-steps.ts'
import { openApp, type OpenOptions, PHONE } from './steps.ts'

/** How long to wait until a toast has gone: its 5 s, and 3 s for a slow machine. */
const EXPIRED = { timeout: 8000 }
/** Later than a toast would close: after 5 s, or up to half a second later if the pointer has just left it. */
const PAST_EXPIRY_MS = 5500

/** Opens the address that a failed external sign-in returns to, which shows a toast. */
async function openWithToast(browser: Browser, options: OpenOptions<unknown> = {}) {
  const { page } = await openApp(browser, { at: '/#external-sign-in-failed', ...options })
  const toast = page.locator('.toast').filter({ hasText: /.+/ })
  await expect(toast).toBeVisible()
  return { page, toast }
}

async function swipe(page: Page, toast: ReturnType<Page['locator']>, distance: number): Promise<void> {
  const box = await toast.boundingBox()
  if (!box) throw new Error('The toast is not drawn')
  const [x, y] = [box.x + 80, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (const part of [0.3, 0.6, 1]) await page.mouse.move(x + distance * part, y)
  await page.mouse.up()
}

test('a swipe right of more than 100 px dismisses a toast, a shorter one does not', async ({ browser }) => {
  const { page, toast } = await openWithToast(browser)
  await expect(toast).toContainText("We couldn't sign you in. Please try again.")
  await swipe(page, toast, 95)
  await expect(toast).toHaveAttribute('data-state', 'open')
  await swipe(page, toast, 110)
  await expect(toast).toHaveCount(0)
})

test('a toast survives a reload and expires after 5 seconds', async ({ browser }) => {
  const { page, toast } = await openWithToast(browser)
  await page.reload()
  await expect(toast).toBeVisible()
  await expect(toast).toHaveCount(1)
  // Under the pointer it would not expire.
  await page.mouse.move(0, 0)
  await expect(toast).toHaveCount(0, EXPIRED)
  // An expired toast is not restored, not even once everything has loaded.
  await page.reload()
  await expectSectionsRendered(page)
  await expect(toast).toHaveCount(0)
})

test('on a phone a toast expires even under the pointer, because it covers buttons', async ({ browser }) => {
  const { toast } = await openWithToast(browser, { viewport: PHONE })
  await toast.hover()
  await expect(toast).toHaveCount(0, EXPIRED)
})

test('a toast does not expire under the pointer until a dialog opens', async ({ browser }) => {
  const { page, toast } = await openWithToast(browser)
  await toast.hover()
  const hoveredAt = Date.now()
  await expect.poll(() => Date.now() - hoveredAt).toBeGreaterThan(PAST_EXPIRY_MS)
  await expect(toast).toHaveAttribute('data-state', 'open')
  // The dialog takes the toast away from under the pointer. Its 5 s are over, so it closes within half a second, perhaps before the
  // test has seen it in the dialog: it is held until then.
  await withToastsHeld(page, async () => {
    await emit(page, 'openAuthModal', { mode: 'login' })
    await expect(page.getByRole('dialog').locator('.toast')).toBeVisible()
  })
  await expect(toast).toHaveCount(0, EXPIRED)
})

test('on a phone a toast in a dialog covers neither its fields nor its buttons', async ({ browser }) => {
  const { page, toast } = await openWithToast(browser, { viewport: PHONE })
  await withToastsHeld(page, async () => {
    await emit(page, 'openAuthModal', { mode: 'login' })
    const dialog = page.getByRole('dialog')
    await expect(dialog.locator('.toast')).toBeVisible()
    await dialog.getByRole('button', { name: 'Continue with Email' }).click({ timeout: 3000 })
    await expect(dialog.getByLabel('Email', { exact: true })).toBeVisible()
    await expect(toast.first()).toBeVisible()
  })
})

test('Escape in a toast closes the toast and not the dialog below it', async ({ browser }) => {
  const { page, toast } = await openWithToast(browser)
  await withToastsHeld(page, async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.toast').getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Escape')
    await expect(toast).toHaveCount(0)
    await expect(dialog).toBeVisible()
  })
})
