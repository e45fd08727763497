import { expect, type Locator, type Page } from '@playwright/test'

const TAB_PRESSES_MAX = 150

/** Moves the focus to the target with Tab, or Shift+Tab if it is earlier in the document. Fails if that does not reach it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  // Resolved once: a role query before every key press would be slow.
  const element = await target.elementHandle()
  for (let step = 0; step < TAB_PRESSES_MAX; step += 1) {
    const key = await page.evaluate((node) => {
      const focused = document.activeElement ?? document.body
      if (!node || node === focused) return null
      const isBefore = node.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING
      return isBefore ? 'Shift+Tab' : 'Tab'
    }, element)
    if (!key) break
    await page.keyboard.press(key)
  }
  await expect(target, 'can be reached by Tab').toBeFocused()
}

/** Follows a header link, which moves the focus to its section. */
export async function goToSection(page: Page, name: string): Promise<void> {
  await press(page, page.getByRole('banner').getByRole('link', { name, exact: true }))
  await expect(page.locator(`#${name.toLowerCase()}`)).toBeFocused()
}

export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

export async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

/** Chooses in a native list by typing the beginning of an option's text. */
export async function chooseOption(page: Page, target: Locator, prefix: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.type(prefix)
  await expect(target.locator('option:checked')).toContainText(prefix)
}

export const button = (container: Page | Locator, name: string): Locator =>
  container.getByRole('button', { name, exact: true })
