import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { byTier, type Guarantee } from '../guarantee.ts'

/** The journeys in a browser; they start the built server for themselves. */
const JOURNEYS = fileURLToPath(new URL('../../e2e', import.meta.url))

interface Suite {
  suites?: Suite[]
  specs?: { title: string; tests: { status: string; results: { errors: { message?: string }[] }[] }[] }[]
}
interface Report {
  stats: { expected: number; unexpected: number }
  suites: Suite[]
  errors: { message?: string }[]
}

const firstLine = (text = '') => text.split('\n')[0] ?? ''

function* failuresOf({ suites = [], specs = [] }: Suite): Generator<string> {
  for (const suite of suites) yield* failuresOf(suite)
  // One by one: a journey made many times is called well when one of them was.
  for (const { title, tests } of specs)
    for (const { status, results } of tests)
      if (status !== 'expected') yield `${title}: ${status}, ${firstLine(results.at(-1)?.errors[0]?.message)}`
}

/** Runs the journeys of a file whose titles fit, each so many times and never once more where it fails. */
async function journeys(file: string, title: string, times: number, violations: string[]): Promise<number> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-journeys-'))
  const report = path.join(dir, 'report.json')
  try {
    const args = ['playwright', 'test', `tests/${file}`, `--grep=${title}`, `--repeat-each=${times}`]
    const wrong = await promisify(execFile)('npx', [...args, '--workers=1', '--retries=0', '--reporter=json'], {
      cwd: JOURNEYS,
      env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report, TEST_TIER: 'full' },
      maxBuffer: 2 ** 26,
    }).then(() => null, String)
    const { stats, suites, errors } = JSON.parse(
      await readFile(report, 'utf8').catch(() => {
        throw new Error(`the journeys were not run: ${wrong}`)
      }),
    ) as Report
    violations.push(...suites.flatMap((suite) => [...failuresOf(suite)]), ...errors.map(({ message }) => `${message}`))
    if (stats.expected + stats.unexpected === 0) violations.push(`no journey of ${file} fits ${title}`)
    return stats.expected
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

export const guarantee: Guarantee = {
  id: 'R26',
  statement:
    'Calls that fail, are slow, cut or answered with no JSON are told in place; a double click does one thing, and tabs renew a sign-in once',
  // `npm test` runs the journeys once.
  from: 'full',
  async run(context) {
    const { violations } = context
    const times = byTier(context, { short: 1, full: 100, long: 100 })
    const tabs = byTier(context, { short: 1, full: 20, long: 100 })
    const network = await journeys('network.spec.ts', '.', 1, violations)
    const isWhole = context.tier !== 'short'
    const injected = isWhole ? await journeys('fault-injection.spec.ts', '.', 1, violations) : 0
    const doubleClicks = await journeys('network.spec.ts', 'a double click', times, violations)
    const renewals = await journeys('accounts-sessions.spec.ts', 'several tabs', tabs, violations)
    return {
      'journeys through a faulty network': network,
      ...(isWhole && { 'journeys of requests refused, cut, answered with no JSON and slowed': injected }),
      'double clicks that made one team': doubleClicks,
      'four tabs that renewed a sign-in by one call, twice each': renewals,
    }
  },
}
