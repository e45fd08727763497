import { sampledForTier } from '@community/testing'
import { expect } from '@playwright/test'
import { type RunningServer, startStandaloneServer } from '@community/testing/server'
import { test } from '../test.ts'
import { PHONE } from './steps.ts'

const NAME = 'Atlas & Rif Builders of Morocco'.slice(0, 30)
const SOCIAL = ['https://github.com/atlas', 'https://www.instagram.com/atlas']

// One server for all tests of this file.
test.describe.configure({ mode: 'default' })
let server: RunningServer
test.beforeAll(async () => {
  server = await startStandaloneServer({ APP_NAME: NAME, SOCIAL_LINKS: SOCIAL.join(', ') })
})
test.afterAll(() => server.stop())

const LANGUAGES = [
  ['en-GB', 'Community'],
  ['ar-MA', 'المجتمع'],
] as const
for (const [locale, community] of sampledForTier(LANGUAGES, 1, 'configured name'))
  test(`a configured name and footer pages are shown, ${locale}`, async ({ browser }) => {
    const page = await browser.newPage({ baseURL: server.url, locale })
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveTitle(NAME)
    const header = page.getByRole('banner')
    await expect(header.getByRole('link', { name: NAME })).toBeVisible()
    await expect(header.getByRole('navigation').getByRole('link', { name: community, exact: true })).toBeVisible()
    const footer = page.getByRole('contentinfo')
    await expect(footer).toContainText(`© 2025 ${NAME}`)
    for (const [index, name] of ['GitHub', 'Instagram'].entries())
      await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', SOCIAL[index] ?? '')
    await page.close()
  })

test('a long name does not widen a narrow phone or hide its menu', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: server.url, viewport: { ...PHONE, width: 360 } })
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Menu' })).toBeInViewport({ ratio: 1 })
  const language = page.getByRole('banner').getByRole('combobox')
  expect((await language.boundingBox())?.width).toBeGreaterThan(50)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await page.close()
})
