import { sampledForTier } from '@community/testing'
import { expect } from '@playwright/test'
import { contrastFindings } from '../crawl/inspect.ts'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { adminToken, DESKTOP, PHONE, url } from './steps.ts'

/** Resolving the document takes eight seconds on a slow core. */
const RENDER_TIMEOUT = { timeout: 30_000 }

// One test, because Swagger UI takes seconds to render. Of 150 operations and tags or more it renders only those near the window,
// so the test filters by tag.
for (const colorScheme of sampledForTier(['light', 'dark'] as const, 1, 'swagger'))
  test(`Swagger UI in ${colorScheme} has our name, fits a phone, and sends a request with a bearer token within the content security policy`, async ({
    page,
  }) => {
    const consoleErrors: string[] = []
    page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()))
    page.on('pageerror', (error) => consoleErrors.push(error.message))
    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme })
    await page.goto(`${url}/api/docs`)
    await expect(page.locator('.info .title')).toContainText('Community API', RENDER_TIMEOUT)
    await expect(page.locator('.topbar, .download-url-wrapper')).toHaveCount(0)
    await expect(page.locator('#operations-auth-authLogin')).toBeVisible(RENDER_TIMEOUT)
    const filter = page.locator('.operation-filter-input')
    await filter.fill('teams')
    await expect(page.locator('#operations-teams-teamsList')).toBeVisible(RENDER_TIMEOUT)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
    const dark = await page.evaluate(() => document.documentElement.classList.contains('dark-mode'))
    expect(dark).toBe(colorScheme === 'dark')
    expect(await contrastFindings(page, '.scheme-container')).toEqual([])

    await page.setViewportSize(DESKTOP)
    await page.locator('.btn.authorize').first().click()
    await page.locator('.auth-container input').fill(await adminToken())
    await page.locator('.auth-btn-wrapper .authorize').click()
    await page.locator('.auth-btn-wrapper .btn-done').click()

    await filter.fill('users')
    // Located by class: role queries over a hundred operations take seconds.
    const operation = page.locator('#operations-users-usersProfile')
    await operation.locator('button').first().click()
    await operation.locator('.try-out__btn').click()
    await operation.locator('.execute').click()
    await expect(operation.locator('.live-responses-table')).toContainText(ADMIN.email, RENDER_TIMEOUT)
    expect(consoleErrors).toEqual([])
  })
