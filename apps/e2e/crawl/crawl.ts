import type { Browser } from '@playwright/test'
import { ADMIN } from '@community/testing/server'
import { openApp } from '../tests/steps.ts'
import { ADMIN_OUTAGE, ADMIN_STOPS } from './admin.ts'
import { MEMBER } from './member.ts'
import {
  expectAtRest,
  DEMO_PASSWORD,
  type Site,
  leave,
  type Variant,
  memberEmail,
  type Crawler,
  expectSettled,
  type Stop,
} from './crawler.ts'
import { translatorFor } from './texts.ts'
import { FAILURES } from './failures.ts'
import { VISITOR } from './visitor.ts'

export const CRAWLS = { visitor: VISITOR, member: MEMBER, admin: ADMIN_STOPS, failures: FAILURES, outage: ADMIN_OUTAGE }
export type Who = keyof typeof CRAWLS
export const WHO = Object.keys(CRAWLS) as Who[]

const LOCALES = { en: 'en-GB', fr: 'fr-MA', ar: 'ar-MA' } as const

function credentials(who: Who): { email: string; password: string } | null {
  if (who === 'visitor') return null
  // The first member of the demo is the chef of a team.
  return who === 'admin' || who === 'outage' ? ADMIN : { email: memberEmail(1), password: DEMO_PASSWORD }
}

/** Opens a page in this variant, signed in if the crawl needs an account. The caller closes its context. */
export async function openCrawler(
  browser: Browser,
  site: Site,
  who: Who,
  variant: Variant,
  index = 0,
): Promise<Crawler> {
  const { theme, language, width } = variant
  const account = credentials(who)
  const { page, consoleErrors, session } = await openApp(browser, {
    baseURL: site.url,
    viewport: { width, height: width < 500 ? 844 : 900 },
    hasTouch: width < 500,
    colorScheme: theme,
    locale: LOCALES[language],
    ...(account && { as: account }),
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
      if (!stop.keepOpen) await leave(crawler)
    } catch (error) {
      throw new Error(`At “${stop.name}”: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
}
