import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { startStandaloneServer } from '@community/testing/server'
import { chromium } from '@playwright/test'
import { findBrowser } from './browser.ts'
import { crawl, CRAWLS, openCrawler, WHO } from './crawl/crawl.ts'
import type { Crawler, Stop } from './crawl/crawler.ts'

/**
 * `pnpm --filter e2e screenshots FOLDER [word ...]`: every view of the demo on a phone and wide, light and dark, in three
 * languages. Words narrow it: only crawls whose name, as `phone light ar member`, has all of them.
 */
const [folder, ...words] = process.argv.slice(2)
if (!folder)
  throw new Error('Name a folder: pnpm --filter e2e screenshots FOLDER [phone|desktop] [light|dark] [en|fr|ar] [who]')

const DEVICES = { phone: 390, desktop: 1280 }
const crawls = Object.entries(DEVICES).flatMap(([device, width]) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (['en', 'fr', 'ar'] as const).flatMap((language) =>
      WHO.map((who) => ({ name: [device, theme, language, who], who, variant: { theme, language, width } })),
    ),
  ),
)

/** Captures the full page, or only the viewport while a dialog is open. */
async function shoot({ page }: Crawler, stop: Stop, file: string): Promise<void> {
  if (stop.within?.startsWith('#')) return void (await page.locator(stop.within).screenshot({ path: file }))
  const overlays = await page.locator('[role=dialog], [role=alertdialog], [role=menu]').count()
  await page.screenshot({ path: file, fullPage: overlays === 0 })
}

const site = await startStandaloneServer({}, ['demo'])
const { executablePath, env, args } = await findBrowser()
const browser = await chromium.launch({ executablePath, env, args })
try {
  for (const [index, { name, who, variant }] of crawls.entries()) {
    if (!words.every((word) => name.includes(word))) continue
    const into = path.join(folder, name.join('-'))
    await mkdir(into, { recursive: true })
    const crawler = await openCrawler(browser, site, who, variant, index)
    let taken = 0
    try {
      await crawl(crawler, CRAWLS[who], async (stop) => {
        const number = String(++taken).padStart(2, '0')
        await shoot(crawler, stop, path.join(into, `${`${number} ${stop.name}`.replaceAll(/[, ]+/g, '-')}.png`))
      })
    } catch (error) {
      await crawler.page.screenshot({ path: path.join(into, 'stopped-here.png') })
      console.error(`${name.join(' ')}: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
    console.log(`${name.join(' ')}: ${taken}`)
    await crawler.page.context().close()
  }
} finally {
  await browser.close()
  await site.stop()
}
