import { median } from '@community/testing'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findBrowser } from './browser.ts'
import { freePort, startStandaloneServer } from '@community/testing/server'

/** `pnpm --filter e2e lighthouse [runs]`: the demo's landing page on a simulated cheap phone, several times. */
const RUNS = Number(process.argv[2] ?? 5)
const GOALS = { performance: 90, accessibility: 100, 'best-practices': 100, seo: 100 }
const CATEGORIES = Object.keys(GOALS) as (keyof typeof GOALS)[]
const AUDITS = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']

type Row = Record<string, number>

/** One run in a new browser. Adds the audits that did not pass to `missed`. */
async function measure(url: string, missed: Set<string>): Promise<Row> {
  const { executablePath, env, args } = await findBrowser()
  const port = await freePort()
  const browser = await chromium.launch({ executablePath, env, args: [...args, `--remote-debugging-port=${port}`] })
  try {
    // Without a `config` its defaults are those of a phone.
    const answer = await lighthouse(url, { port, onlyCategories: CATEGORIES, logLevel: 'error' })
    if (!answer) throw new Error('Lighthouse answered nothing')
    const { categories, audits, runtimeError } = answer.lhr
    if (runtimeError) throw new Error(runtimeError.message)
    for (const name of CATEGORIES.slice(1))
      for (const { id, weight } of categories[name]?.auditRefs ?? [])
        if (weight > 0 && (audits[id]?.score ?? 1) < 1) missed.add(`${name}: ${id}, ${audits[id]?.title}`)
    return Object.fromEntries([
      ...CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
      ...AUDITS.map((name) => [name, Number((audits[name]?.numericValue ?? 0).toFixed(3))]),
    ])
  } finally {
    await browser.close()
  }
}

const server = await startStandaloneServer({}, ['demo'])
const rows: Row[] = []
const missed = new Set<string>()
try {
  for (let run = 0; run < RUNS; run += 1) rows.push(await measure(`${server.url}/`, missed))
} finally {
  await server.stop()
}
const medians: Row = Object.fromEntries(
  [...CATEGORIES, ...AUDITS].map((name) => [name, median(rows.map((row) => row[name] ?? 0))]),
)
console.table({ ...Object.fromEntries(rows.map((row, index) => [`run ${index + 1}`, row])), median: medians })
for (const audit of missed) console.log(`below 100 for ${audit}`)
const below = CATEGORIES.filter((name) => (medians[name] ?? 0) < GOALS[name])
if (below.length > 0) {
  console.error(`Below the goal: ${below.map((name) => `${name} ${medians[name]} < ${GOALS[name]}`).join(', ')}`)
  process.exitCode = 1
}
