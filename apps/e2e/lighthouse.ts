// `pnpm --filter e2e lighthouse [runs] [hash]`: audits the demo's front page, or what `#leaderboard` leads to, as a simulated slow phone;
// fails if a median is below its goal.
import { median } from '@community/testing'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findBrowser } from './browser.ts'
import { freePort, startStandaloneServer } from '@community/testing/server'

const RUNS = Number(process.argv[2] ?? 5)
const HASH = process.argv[3] ?? ''
const MIN_SCORES = { performance: 90, accessibility: 100, 'best-practices': 100, seo: 100 }
const CATEGORIES = Object.keys(MIN_SCORES) as (keyof typeof MIN_SCORES)[]
const METRICS = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']

type Measurements = Record<string, number>

/** Measures once in a new browser. Adds to `failedAudits` each scored audit below 1, except performance audits. */
async function measure(url: string, failedAudits: Set<string>): Promise<Measurements> {
  const { executablePath, env, args } = await findBrowser()
  const port = await freePort()
  const browser = await chromium.launch({ executablePath, env, args: [...args, `--remote-debugging-port=${port}`] })
  try {
    // Without a config, Lighthouse emulates a phone.
    const result = await lighthouse(url, { port, onlyCategories: CATEGORIES, logLevel: 'error' })
    if (!result) throw new Error('Lighthouse returned no result')
    const { categories, audits, runtimeError } = result.lhr
    if (runtimeError) throw new Error(runtimeError.message)
    for (const name of CATEGORIES.filter((category) => category !== 'performance'))
      for (const { id, weight } of categories[name]?.auditRefs ?? [])
        if (weight > 0 && (audits[id]?.score ?? 1) < 1) failedAudits.add(`${name}: ${id}, ${audits[id]?.title}`)
    return Object.fromEntries([
      ...CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
      ...METRICS.map((name) => [name, Number((audits[name]?.numericValue ?? 0).toFixed(3))]),
    ])
  } finally {
    await browser.close()
  }
}

const server = await startStandaloneServer({}, ['demo'])
const rows: Measurements[] = []
const failedAudits = new Set<string>()
try {
  for (let run = 0; run < RUNS; run += 1) rows.push(await measure(`${server.url}/${HASH}`, failedAudits))
} finally {
  await server.stop()
}
const medians: Measurements = Object.fromEntries(
  [...CATEGORIES, ...METRICS].map((name) => [name, median(rows.map((row) => row[name] ?? 0))]),
)
console.table({ ...Object.fromEntries(rows.map((row, index) => [`run ${index + 1}`, row])), median: medians })
for (const audit of failedAudits) console.log(`failed audit: ${audit}`)
const belowGoal = CATEGORIES.filter((name) => (medians[name] ?? 0) < MIN_SCORES[name])
for (const name of belowGoal) console.error(`Below the goal: ${name} ${medians[name]} < ${MIN_SCORES[name]}`)
if (belowGoal.length > 0) process.exitCode = 1
