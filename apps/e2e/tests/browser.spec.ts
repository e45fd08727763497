import { chromium, expect } from '@playwright/test'
import { test } from '../test.ts'
import { findBrowser } from '../browser.ts'

test('the Chromium from npm starts and renders a page', async () => {
  test.skip(process.platform !== 'linux' || process.arch !== 'x64', 'npm ships one for Linux x64 only')
  const { executablePath, env, args, source } = await findBrowser({ BROWSER_SOURCE: 'npm' })
  expect(source).toMatch(/^npm, .*\d{3}\./)

  const browser = await chromium.launch({ executablePath, env, args })
  try {
    const page = await browser.newPage()
    await page.setContent('<h1>Salam</h1><p>Bienvenue</p>')
    await expect(page.getByRole('heading', { name: 'Salam' })).toBeVisible()
    expect(await page.evaluate(() => document.fonts.check('16px sans-serif'))).toBe(true)
  } finally {
    await browser.close()
  }
})

test('a CHROMIUM_PATH that is not a Chromium is named in the error', async () => {
  await expect(findBrowser({ CHROMIUM_PATH: '/bin/true' })).rejects.toThrow('CHROMIUM_PATH: /bin/true is no Chromium')
})
