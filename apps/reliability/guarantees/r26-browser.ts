import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Guarantee, GuaranteeContext } from '../guarantee.ts'

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

/** Test by test: a spec that was repeated passes when one of its repetitions did. */
function failuresOf({ suites = [], specs = [] }: Suite): string[] {
  const failed = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ status, results }) => `${title}: ${status}, ${firstLine(results.at(-1)?.errors[0]?.message)}`),
  )
  return [...suites.flatMap(failuresOf), ...failed]
}

/** Runs the journeys of a file whose titles fit, each so many times, without retries; resolves with how many passed. */
async function runJourneys({ expect, expectNone }: GuaranteeContext, file: string, title: string, times: number) {
  const report = path.join(os.tmpdir(), `community-journeys-${randomUUID()}.json`)
  const args = ['playwright', 'test', `tests/${file}`, `--grep=${title}`, `--repeat-each=${times}`]
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report, TEST_TIER: 'full' }
  await promisify(execFile)('npx', [...args, '--workers=1', '--retries=0', '--reporter=json'], {
    cwd: JOURNEYS,
    env,
    maxBuffer: 2 ** 26,
  }).catch(() => {
    // Failing journeys end it with 1; without any there is no report.
  })
  const { stats, suites, errors } = JSON.parse(await readFile(report, 'utf8')) as Report
  await rm(report)
  expectNone([...failuresOf({ suites }), ...errors.map(({ message }) => `${message}`)])
  expect(stats.expected + stats.unexpected > 0, `no journey of ${file} fits ${title}`)
  return stats.expected
}

export const guarantee: Guarantee = {
  id: 'R26',
  statement:
    'Calls that fail, are slow, cut or answered with no JSON are told in place; a double click does one thing, and tabs renew a sign-in once',
  // `npm test` runs the journeys once.
  from: 'full',
  async run(context) {
    const { byTier } = context
    const runs: [what: string, file: string, title: string, times: number][] = [
      ['journeys through a faulty network', 'network.spec.ts', '.', 1],
      ['journeys of requests that fail in every way', 'fault-injection.spec.ts', '.', byTier({ short: 0, full: 1 })],
      ['double clicks that created one team', 'network.spec.ts', 'a double click', byTier({ short: 1, full: 100 })],
      [
        'four tabs that renewed a sign-in by one call, twice each',
        'accounts-sessions.spec.ts',
        'several tabs',
        byTier({ short: 1, full: 20, long: 100 }),
      ],
    ]
    const figures: Record<string, number> = {}
    for (const [what, file, title, times] of runs)
      if (times > 0) figures[what] = await runJourneys(context, file, title, times)
    return figures
  },
}
