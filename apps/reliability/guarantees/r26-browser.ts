import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Guarantee, GuaranteeContext } from '../guarantee.ts'

/** The folder of the browser journeys, which start the built server themselves. */
const JOURNEYS = fileURLToPath(new URL('../../e2e', import.meta.url))

/** Runs the journeys that match, each `times` times, without retries; resolves with the number that passed. `file`: a pattern. */
async function runJourneys({ expect }: GuaranteeContext, file: string, title: string, times: number): Promise<number> {
  const args = ['playwright', 'test', `tests/${file}`, `--grep=${title}`, `--repeat-each=${times}`]
  const env = { ...process.env, TEST_TIER: 'full' }
  const playwright = promisify(execFile)('npx', [...args, '--workers=1', '--retries=0', '--reporter=dot'], {
    cwd: JOURNEYS,
    env,
    maxBuffer: 2 ** 26,
  })
  const { stdout, hasFailed } = await playwright.then(
    (result) => ({ stdout: result.stdout, hasFailed: false }),
    // Playwright exits with 1 if a journey fails or no title matches.
    (error: { stdout: string }) => ({ stdout: error.stdout, hasFailed: true }),
  )
  const [, passed = 0] = /(\d+) passed/.exec(stdout) ?? []
  const isSound = !hasFailed && !/\d+ (skipped|did not run)/.test(stdout) && Number(passed) > 0
  expect(isSound, `journeys of ${file}: ${stdout.slice(-4000)}`)
  return Number(passed)
}

export const guarantee: Guarantee = {
  id: 'R26',
  statement:
    'Calls that fail, are slow, cut off or not JSON show an error in place; a double click does one thing, and tabs refresh a session once',
  // `npm test` runs the journeys once.
  from: 'full',
  async run(context) {
    const { byTier } = context
    const runs: [what: string, file: string, title: string, times: number][] = [
      ['journeys through a faulty network', '(network|offline|lazy-chunks).spec.ts', '.', 1],
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
