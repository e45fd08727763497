import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { findBrowser } from './browser.ts'
import { startServer } from '@community/testing/server'
import type { Variant, Crawler, Stop } from './crawl/crawler.ts'
import { openCrawler, crawl, CRAWLS, WHO, type Who } from './crawl/crawl.ts'

/**
 * `pnpm --filter e2e screenshots FOLDER [word ...]`: every view of the demo on a phone and wide, light and dark, in three
 * languages. Words narrow it: only crawls whose name, as `phone light ar member`, has all of them.
 */
const DEVICES = { phone: 390, desktop: 1280 } as const
const [folder, ...words] = process.argv.slice(2)
if (!folder) {
  console.error(
    'Translate into which folder: pnpm --filter e2e screenshots /tmp/shots [phone|desktop] [light|dark] [en|fr|ar] [who]',
  )
  process.exit(1)
}

interface Round {
  who: Who
  device: keyof typeof DEVICES
  variant: Variant
}

const rounds: Round[] = (['phone', 'desktop'] as const).flatMap((device) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (['en', 'fr', 'ar'] as const).flatMap((language) =>
      WHO.map((who) => ({ who, device, variant: { theme, language, width: DEVICES[device] } })),
    ),
  ),
)
const nameOf = ({ who, device, variant }: Round): string => [device, variant.theme, variant.language, who].join(' ')
const wanted = rounds.filter((round) => words.every((word) => nameOf(round).split(' ').includes(word)))

/** A whole page where the page is what is shown; a dialog as it stands over it. */
async function shoot({ page }: Crawler, stop: Stop, file: string): Promise<void> {
  const overlay = await page.locator('[role=dialog], [role=alertdialog], [role=menu]').count()
  const part = stop.within?.startsWith('#') ? page.locator(stop.within) : page
  if (part === page) await page.screenshot({ path: file, fullPage: overlay === 0 })
  else await part.screenshot({ path: file })
}

const site = await startStandaloneServer({}, ['demo'])
const { executablePath, env, args } = await findBrowser()
const browser = await chromium.launch({ executablePath, env, args })
let taken = 0
try {
  for (const [number, round] of wanted.entries()) {
    const into = path.join(folder, nameOf(round).replaceAll(' ', '-'))
    await mkdir(into, { recursive: true })
    const crawler = await openCrawler(browser, site, round.who, round.variant, number)
    let at = 0
    const count = await crawl(crawler, CRAWLS[round.who], async (stop) => {
      at += 1
      const name = `${String(at).padStart(2, '0')} ${stop.name}`.replaceAll(/[, ]+/g, '-')
      await shoot(crawler, stop, path.join(into, `${name}.png`))
    }).catch(async (error: unknown) => {
      await crawler.page.screenshot({ path: path.join(into, 'stopped-here.png') })
      console.error(`${nameOf(round)}: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
      return at
    })
    taken += count
    console.log(`${nameOf(round)}: ${count}`)
    await crawler.page.context().close()
  }
} finally {
  await browser.close()
  await site.stop()
}
console.log(`${taken} pictures in ${folder}`)
