import type { Browser, Page } from '@playwright/test'
import { ADMIN } from '@community/testing/server'
import { openApp } from '../tests/steps.ts'
import { OUTAGE_STOPS, ADMIN_STOPS } from './admin.ts'
import { MEMBER_STOPS } from './member.ts'
import {
  expectAtRest,
  DEMO_PASSWORD,
  type Site,
  closeOverlays,
  type Variant,
  memberEmail,
  type Crawler,
  expectSettled,
  type Stop,
} from './crawler.ts'
import { translatorFor } from './texts.ts'
import { FAILURE_STOPS } from './failures.ts'
import { VISITOR_STOPS } from './visitor.ts'

export const CRAWLS = {
  visitor: VISITOR_STOPS,
  member: MEMBER_STOPS,
  admin: ADMIN_STOPS,
  failures: FAILURE_STOPS,
  outage: OUTAGE_STOPS,
}
export type CrawlName = keyof typeof CRAWLS
export const CRAWL_NAMES = Object.keys(CRAWLS) as CrawlName[]

const LOCALES = { en: 'en-GB', fr: 'fr-MA', ar: 'ar-MA' } as const

function credentials(crawlName: CrawlName): { email: string; password: string } | null {
  if (crawlName === 'visitor') return null
  // The first member of the demo is the chef of a team.
  return crawlName === 'admin' || crawlName === 'outage' ? ADMIN : { email: memberEmail(1), password: DEMO_PASSWORD }
}

/** Without the profile the app would sign out. */
const failAllButProfile = (page: Page) =>
  page.route(/\/trpc\/(?!users\.profile\b)/, (route) => route.fulfill({ status: 504, body: 'Upstream is asleep' }))

/** Opens a page in this variant, signed in if the crawl needs an account. The caller closes its context. */
export async function openCrawler(
  browser: Browser,
  site: Site,
  crawlName: CrawlName,
  variant: Variant,
  index = 0,
): Promise<Crawler> {
  const { theme, language, width } = variant
  const account = credentials(crawlName)
  const { page, consoleErrors, session } = await openApp(browser, {
    baseURL: site.url,
    viewport: { width, height: width < 500 ? 844 : 900 },
    hasTouch: width < 500,
    colorScheme: theme,
    locale: LOCALES[language],
    ...(account && { as: account }),
    ...(crawlName === 'outage' && { prepare: failAllButProfile }),
  })
  const [t, token] = [translatorFor(language), session?.token ?? null]
  return { page, consoleErrors, site, variant, t, token, index, openers: [] }
}

/** Visits every stop on one page, in order. */
export async function crawl(
  crawler: Crawler,
  stops: readonly Stop[],
  visit: (stop: Stop) => Promise<void>,
): Promise<void> {
  const { page, variant } = crawler
  for (const stop of stops.filter(({ when }) => when?.(variant) ?? true)) {
    try {
      await stop.show(crawler)
      await (stop.isLoading ? expectAtRest(page) : expectSettled(page))
      await visit(stop)
      if (!stop.keepOpen) await closeOverlays(crawler)
    } catch (error) {
      throw new Error(`At “${stop.name}”: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
}
