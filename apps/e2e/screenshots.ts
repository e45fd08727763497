import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { startStandaloneServer } from '@community/testing/server'
import { chromium } from '@playwright/test'
import { findBrowser } from './browser.ts'
import { crawl, CRAWLS, openCrawler, CRAWL_NAMES } from './crawl/crawl.ts'
import type { Crawler, Stop, Variant } from './crawl/crawler.ts'

/**
 * `pnpm --filter e2e screenshots FOLDER [filter ...]`: every view of the demo on a phone and wide, light and dark, in three
 * languages. Filters narrow it: only crawls whose name, as `phone light ar member`, has all of them.
 */
const [folder, ...filters] = process.argv.slice(2)
if (!folder)
  throw new Error('Name a folder: pnpm --filter e2e screenshots FOLDER [phone|desktop] [light|dark] [en|fr|ar] [crawl]')

const DEVICES = { phone: 390, desktop: 1280 }
const crawls: { name: string[]; crawlName: (typeof CRAWL_NAMES)[number]; variant: Variant }[] = []
for (const [device, width] of Object.entries(DEVICES))
  for (const theme of ['light', 'dark'] as const)
    for (const language of ['en', 'fr', 'ar'] as const)
      for (const crawlName of CRAWL_NAMES)
        crawls.push({ name: [device, theme, language, crawlName], crawlName, variant: { theme, language, width } })

/** Captures the full page, or only the viewport while a dialog is open. */
async function capture({ page }: Crawler, stop: Stop, file: string): Promise<void> {
  if (stop.within?.startsWith('#')) return void (await page.locator(stop.within).screenshot({ path: file }))
  const overlays = await page.locator('[role=dialog], [role=alertdialog], [role=menu]').count()
  await page.screenshot({ path: file, fullPage: overlays === 0 })
}

// tsx wraps functions in calls of `__name`, which pages do not have.
const DEFINE_NAME = 'globalThis.__name ??= (value) => value'

const site = await startStandaloneServer({}, ['demo'])
const { executablePath, env, args } = await findBrowser()
const browser = await chromium.launch({ executablePath, env, args })
try {
  for (const [index, { name, crawlName, variant }] of crawls.entries()) {
    if (!filters.every((filter) => name.includes(filter))) continue
    const outputFolder = path.join(folder, name.join('-'))
    await mkdir(outputFolder, { recursive: true })
    const crawler = await openCrawler(browser, site, crawlName, variant, index)
    await crawler.page.addInitScript(DEFINE_NAME)
    await crawler.page.evaluate(DEFINE_NAME)
    let count = 0
    try {
      await crawl(crawler, CRAWLS[crawlName], async (stop) => {
        count += 1
        const fileName = `${String(count).padStart(2, '0')} ${stop.name}`.replaceAll(/[, ]+/g, '-')
        await capture(crawler, stop, path.join(outputFolder, `${fileName}.png`))
      })
    } catch (error) {
      await crawler.page.screenshot({ path: path.join(outputFolder, 'stopped-here.png') })
      console.error(`${name.join(' ')}: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
    console.log(`${name.join(' ')}: ${count}`)
    await crawler.page.context().close()
  }
} finally {
  await browser.close()
  await site.stop()
}
