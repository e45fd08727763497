import { chromium, expect } from '@playwright/test'
import { test } from '../test.ts'
import { findBrowser } from '../browser.ts'

test('the Chromium from npm starts and renders a page', async () => {
  test.skip(process.platform !== 'linux' || process.arch !== 'x64', 'npm ships one for Linux x64 only')
  const before = process.env.BROWSER_SOURCE
  process.env.BROWSER_SOURCE = 'npm'
  const { executablePath, env, args, source } = await findBrowser()
  if (before === undefined) delete process.env.BROWSER_SOURCE
  else process.env.BROWSER_SOURCE = before
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
  const before = process.env.CHROMIUM_PATH
  process.env.CHROMIUM_PATH = '/bin/true'
  try {
    await expect(findBrowser()).rejects.toThrow('CHROMIUM_PATH: /bin/true is no Chromium')
  } finally {
    if (before === undefined) delete process.env.CHROMIUM_PATH
    else process.env.CHROMIUM_PATH = before
  }
})
