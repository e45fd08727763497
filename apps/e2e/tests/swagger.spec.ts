import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'

import { url } from '../site.ts'

test('Swagger UI authorizes with a bearer token and tries a call out, without a word from the content security policy', async ({
  page,
}) => {
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ADMIN.email, password: ADMIN.password }),
  })
  const { token } = ((await login.json()) as { data: { token: string } }).data

  await page.goto(`${url}/api/docs`)
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  await page.getByRole('textbox', { name: /auth-bearer-value|bearer/i }).fill(token)
  await page
    .locator('.auth-btn-wrapper')
    .getByRole('button', { name: /authorize|apply/i })
    .click()
  await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Close' }).click()

  const call = page.locator('#operations-users-usersProfile')
  await call.getByRole('button').first().click()
  await call.getByRole('button', { name: 'Try it out' }).click()
  await call.getByRole('button', { name: 'Execute' }).click()
  await expect(call.locator('.live-responses-table')).toContainText(ADMIN.email)
  expect(complaints).toEqual([])
})
