import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findBrowser } from './browser.ts'
import { freePort, startServer } from '@community/testing/server'

/** `pnpm --filter e2e lighthouse [runs]`: the demo's landing page on a simulated cheap phone, several times. */
const RUNS = Number(process.argv[2] ?? 5)
const SCORES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const TIMES = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'] as const
const SHIFT = 'cumulative-layout-shift'
const LEAST = { performance: 90, accessibility: 100, 'best-practices': 100, seo: 100 }

type Row = Record<string, number>

interface Measured {
  row: Row
  wanting: string[]
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** One run in a browser of its own: nothing is kept from the run before. Also what was found wanting. */
async function measure(url: string): Promise<Measured> {
  const found = await findBrowser()
  const port = await freePort()
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    env: found.env,
    args: [...found.args, `--remote-debugging-port=${port}`],
  })
  try {
    // Without a `config` its defaults are those of a phone.
    const answer = await lighthouse(url, { port, onlyCategories: [...SCORES], logLevel: 'error' })
    if (!answer) throw new Error('Lighthouse answered nothing')
    const { categories, audits, runtimeError } = answer.lhr
    if (runtimeError) throw new Error(runtimeError.message)
    const scores = SCORES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)] as const)
    const times = TIMES.map((name) => [name, Math.round(audits[name]?.numericValue ?? 0)] as const)
    const shift = [SHIFT, Number((audits[SHIFT]?.numericValue ?? 0).toFixed(3))] as const
    const wanting = SCORES.slice(1).flatMap((name) =>
      (categories[name]?.auditRefs ?? [])
        .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
        .map(({ id }) => `${name}: ${id}, ${audits[id]?.title}`),
    )
    return { row: Object.fromEntries([...scores, ...times, shift]), wanting }
  } finally {
    await browser.close()
  }
}

/** A browser that has no time for its trace is asked again, twice at most. */
async function measureAtLast(url: string, tries = 3): Promise<Measured> {
  try {
    return await measure(url)
  } catch (error) {
    if (tries <= 1) throw error
    return measureAtLast(url, tries - 1)
  }
}

const server = await startServer({}, ['demo'])
const rows: Row[] = []
const wanting = new Set<string>()
try {
  for (let run = 0; run < RUNS; run += 1) {
    const measured = await measureAtLast(`${server.url}/`)
    rows.push(measured.row)
    for (const audit of measured.wanting) wanting.add(audit)
  }
} finally {
  await server.stop()
}
const columns = Object.keys(rows[0] ?? {})
const medians: Row = Object.fromEntries(columns.map((name) => [name, median(rows.map((row) => row[name] ?? 0))]))
console.table({ ...Object.fromEntries(rows.map((row, index) => [`run ${index + 1}`, row])), median: medians })
for (const audit of wanting) console.log(`below 100 for ${audit}`)
const missed = SCORES.filter((name) => (medians[name] ?? 0) < LEAST[name])
if (missed.length > 0) {
  console.error(`Below the goal: ${missed.map((name) => `${name} ${medians[name]} < ${LEAST[name]}`).join(', ')}`)
  process.exitCode = 1
}
