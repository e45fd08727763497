import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { adminToken, url } from './steps.ts'

test('Swagger UI authorizes with a bearer token and sends a request without violating the content security policy', async ({
  page,
}) => {
  const consoleErrors: string[] = []
  page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()))
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  await page.goto(`${url}/api/docs`)
  await page.locator('.btn.authorize').first().click()
  await page.locator('.auth-container input').fill(await adminToken())
  await page.locator('.auth-btn-wrapper .authorize').click()
  await page.locator('.auth-btn-wrapper .btn-done').click()

  // Located by class: role queries over a hundred operations take seconds.
  const operation = page.locator('#operations-users-usersProfile')
  await operation.locator('button').first().click()
  await operation.locator('.try-out__btn').click()
  await operation.locator('.execute').click()
  await expect(operation.locator('.live-responses-table')).toContainText(ADMIN.email)
  expect(consoleErrors).toEqual([])
})
