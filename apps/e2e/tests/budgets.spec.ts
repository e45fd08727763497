import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { sampledForTier } from '@community/testing'
import { type Browser, expect, type Page, type Request } from '@playwright/test'
import { test } from '../test.ts'
import { createChallenge, url } from './steps.ts'

/** Budgets in kB, gzip unless stated: of the first load, and of each lazy chunk. */
const BUDGET = { script: 111, style: 12 }
/** Requests, and kB transferred in all and as fonts, until the hero is usable. */
const START = {
  en: { requests: 9, bytes: 182, fonts: 45 },
  fr: { requests: 9, bytes: 182, fonts: 45 },
  ar: { requests: 11, bytes: 195, fonts: 75 },
} as const
const LOCALES = { en: 'en-GB', fr: 'fr-MA', ar: 'ar-MA' } as const
const SHIFT_MAX = 0.02
const KB = 1000
/** The budget of a lazy chunk in kB gzip: zod, a language's texts, and what the sections of the front page share are larger. */
const budgetOf = (file: string): number => (file.startsWith('shared-') ? 38 : /^(zod|en|fr|ar)-/.test(file) ? 28 : 25)

const DIST = process.env.WEB_DIR ?? fileURLToPath(new URL('../../web/dist', import.meta.url))

const read = (file: string): Buffer => readFileSync(path.join(DIST, file))
const gzipKb = (file: string): number => gzipSync(read(file), { level: 9 }).length / KB
const brotliKb = (file: string): number => brotliCompressSync(read(file)).length / KB
const total = (files: Iterable<string>, sizeOf: (file: string) => number): number =>
  [...files].reduce((sum, file) => sum + sizeOf(file), 0)

/** The files of the first load: the HTML names the entry and its static imports. */
function initialFiles(): { scripts: Set<string>; styles: Set<string> } {
  const referenced = [
    ...read('index.html')
      .toString()
      .matchAll(/(?:src|href)="\/([^"]+)"/g),
  ].map(([, file = '']) => file)
  const withSuffix = (suffix: string) => new Set(referenced.filter((file) => file.endsWith(suffix)))
  return { scripts: withSuffix('.js'), styles: withSuffix('.css') }
}

test('the first load of the built page is within its budget', () => {
  const { scripts, styles } = initialFiles()
  const table = [
    ['initial script', scripts, BUDGET.script],
    ['initial style', styles, BUDGET.style],
  ] as const
  for (const [name, files, budget] of table) {
    const size = total(files, gzipKb)
    console.log(`${name}: ${size.toFixed(1)} kB gzip, ${total(files, brotliKb).toFixed(1)} brotli, of ${budget}`)
    expect(files.size, name).toBeGreaterThan(0)
    expect(size, name).toBeLessThanOrEqual(budget)
  }
})

test('every lazy chunk is within its budget', () => {
  const { scripts } = initialFiles()
  const lazyChunks = readdirSync(path.join(DIST, 'assets'))
    .filter((file) => file.endsWith('.js') && !scripts.has(`assets/${file}`))
    .map((file) => ({ file, size: gzipKb(`assets/${file}`), budget: budgetOf(file) }))
    .toSorted((a, b) => b.size - a.size)
  const largest = lazyChunks.slice(0, 5).map(({ file, size }) => `${file} ${size.toFixed(1)}`)
  console.log(`later parts: ${lazyChunks.length}, the largest ${largest.join(', ')}`)
  expect(lazyChunks.length).toBeGreaterThan(20)
  expect(lazyChunks.filter(({ size, budget }) => size > budget)).toEqual([])
})

interface LoadedFile {
  path: string
  bytes: number
}

const isFont = ({ path: file }: LoadedFile): boolean => file.endsWith('.woff2')
const kbOf = (list: LoadedFile[]): number => list.reduce((sum, { bytes }) => sum + bytes, 0) / KB

/** Loads the landing page on a phone with an empty cache; returns the requests until the hero was rendered with its fonts. */
async function loadLandingPage(page: Page): Promise<LoadedFile[]> {
  const requests: Request[] = []
  page.on('request', (request) => requests.push(request))
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('main h1') || performance.getEntriesByName('hero').length > 0) return
      observer.disconnect()
      performance.mark('hero')
      // Two frames later it is rendered and its fonts are requested.
      requestAnimationFrame(() => requestAnimationFrame(() => performance.mark('drawn')))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  await page.goto('/', { waitUntil: 'load' })
  await page.waitForFunction(() => performance.getEntriesByName('drawn').length > 0)
  await page.evaluate(() => document.fonts.ready)
  const at = (mark: string) =>
    page.evaluate((name) => performance.timeOrigin + (performance.getEntriesByName(name)[0]?.startTime ?? 0), mark)
  const [hero, rendered] = [await at('hero'), await at('drawn')]
  const before = requests.filter((request) => {
    const { startTime } = request.timing()
    // Status 0: no response yet. The browser requests the favicon by itself.
    if (startTime === 0 || request.url().endsWith('/icon.svg')) return false
    return startTime <= (request.resourceType() === 'font' ? rendered : hero)
  })
  return Promise.all(
    before.map(async (request) => {
      const { responseBodySize, responseHeadersSize } = await request.sizes()
      return { path: new URL(request.url()).pathname, bytes: responseBodySize + responseHeadersSize }
    }),
  )
}

for (const language of sampledForTier(['en', 'fr', 'ar'] as const, 1, 'first load'))
  test(`until the hero is usable, ${language}: few requests, few bytes, only the fonts of its script`, async ({
    browser,
  }) => {
    const viewport = { width: 360, height: 800 }
    const page = await browser.newPage({ baseURL: url, locale: LOCALES[language], viewport, reducedMotion: 'reduce' })
    const loaded = await loadLandingPage(page)
    const fonts = loaded.filter(isFont)
    const measured = { requests: loaded.length, bytes: kbOf(loaded), fonts: kbOf(fonts) }
    console.log(
      `${language}: ${measured.requests} requests, ${measured.bytes.toFixed(1)} kB, fonts ${measured.fonts.toFixed(1)} kB`,
    )
    const budget = START[language]
    const paths = loaded.map((step) => step.path)
    // Sanity check: the entry, the catalog and the health check were counted.
    expect(paths).toEqual(expect.arrayContaining(['/', '/boot.js', '/api/health']))
    expect(fonts.length).toBeGreaterThan(1)
    expect(paths.slice(budget.requests), 'more requests than the budget has').toEqual([])
    expect(measured.bytes).toBeLessThanOrEqual(budget.bytes)
    expect(measured.fonts).toBeLessThanOrEqual(budget.fonts)
    // The word in the other script in the language switch must not load its font.
    expect(fonts.some(({ path: file }) => /readex|kufi/.test(file))).toBe(language === 'ar')
    await page.close()
  })

/** A page of a phone that sums its layout shifts in `window.shift`. */
async function newMeasuredPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ baseURL: url, viewport: { width: 360, height: 800 }, reducedMotion: 'reduce' })
  await page.addInitScript(() => {
    const measured = window as Window & { shift?: number }
    measured.shift = 0
    new PerformanceObserver((list) => {
      // LayoutShift is missing from TypeScript's DOM.
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) measured.shift = (measured.shift ?? 0) + entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return page
}

async function waitForSections(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  await expect(page.locator('#contact h2').first()).toBeAttached()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

async function expectNoShift(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  // Two frames later the browser has reported the last shift.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const shift = await page.evaluate(() => (window as Window & { shift?: number }).shift)
  console.log(`layout shift: ${shift?.toFixed(4)}`)
  expect(shift).toBeLessThanOrEqual(SHIFT_MAX)
  await page.close()
}

const SECTION_HASHES = ['', '#teams', '#challenges', '#works', '#leaderboard', '#contact']
for (const hash of sampledForTier(SECTION_HASHES, 2, 'layout shift'))
  test(`no layout shift while the page and its sections load: /${hash}`, async ({ browser }) => {
    await createChallenge()
    const page = await newMeasuredPage(browser)
    await page.goto(`/${hash}`)
    await waitForSections(page)
    await expectNoShift(page)
  })

for (const hash of sampledForTier(SECTION_HASHES, 2, 'late fonts'))
  test(`no layout shift when the fonts arrive after everything else: /${hash}`, async ({ browser }) => {
    await createChallenge()
    const page = await newMeasuredPage(browser)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/*.woff2', async (route) => {
      await released
      await route.continue()
    })
    // The load event waits for the fonts.
    await page.goto(`/${hash}`, { waitUntil: 'commit' })
    await waitForSections(page)
    const hasStandIn = await page.evaluate(() =>
      [...document.fonts].some(({ family, status }) => family.includes('Bricolage Stand-in') && status === 'loaded'),
    )
    test.skip(!hasStandIn, 'needs Arial, Roboto or Liberation Sans, one of which every phone has')
    release()
    await expectNoShift(page)
  })
