import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { saveNoticed, type Noticed } from '../files.ts'
import { type Fault, mutate } from './mutate.ts'

const run = promisify(execFile)
const REPOSITORY = path.resolve(import.meta.dirname, '../../..')
const TIMEOUT = 20 * 60_000

/** Describes the faults whose pattern does not match the source exactly once, or whose tests do not exist. */
export async function findUnmatched(faults: Fault[]): Promise<string[]> {
  const problems: string[] = []
  for (const fault of faults) {
    await mutate(REPOSITORY, fault).catch((error: Error) => problems.push(error.message))
    for (const test of fault.tests)
      if (!existsSync(path.join(REPOSITORY, test))) problems.push(`${fault.what}: there is no ${test}`)
  }
  return problems
}

/** The failing tests in these files or folders. */
async function failuresOf(copy: string, tests: string[]) {
  const failures: { title: string; message: string | undefined }[] = []
  const suiteOf = (test: string) => test.split('/').slice(0, 2).join('/')
  for (const suite of new Set(tests.map(suiteOf))) {
    const report = path.join(copy, 'mutation.json')
    await rm(report, { force: true })
    const own = tests.filter((test) => suiteOf(test) === suite).map((test) => path.relative(suite, test))
    await run('npx', ['vitest', 'run', '--reporter=json', `--outputFile=${report}`, '--bail=1', ...own], {
      cwd: path.join(copy, suite),
      timeout: TIMEOUT,
      maxBuffer: 2 ** 26,
    }).catch(() => {
      // Vitest exits with 1 if a test fails.
    })
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
      testResults: {
        message: string
        assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
      }[]
    }
    for (const { assertionResults, message } of testResults) {
      for (const { status, fullName, failureMessages } of assertionResults)
        if (status === 'failed') failures.push({ title: fullName, message: failureMessages[0] })
      // A file whose setup fails has no results.
      if (assertionResults.length === 0 && message !== '')
        failures.push({ title: message.split('\n')[0] ?? '', message })
    }
  }
  return failures
}

/** Applies one fault after the other to a copy of the last commit and yields the test that failed. */
export async function* tryFaults(faults: Fault[]): AsyncGenerator<Noticed> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'community-mutations-'))
  const copy = path.join(folder, 'copy')
  try {
    await run('git', ['clone', '--quiet', REPOSITORY, copy])
    await run('pnpm', ['install', '--offline', '--frozen-lockfile'], { cwd: copy, maxBuffer: 2 ** 26 })
    await run('pnpm', ['build'], { cwd: copy, maxBuffer: 2 ** 26 })
    const failed = await failuresOf(copy, [...new Set(faults.flatMap(({ tests }) => tests))])
    if (failed.length > 0) throw new Error(`fails without a fault: ${JSON.stringify(failed)}`)
    for (const fault of faults) {
      const startedAt = performance.now()
      const { file, original, mutated } = await mutate(copy, fault)
      await writeFile(path.join(copy, file), mutated)
      const [failure] = await failuresOf(copy, fault.tests)
      await writeFile(path.join(copy, file), original)
      const noticed = {
        what: fault.what,
        by: failure?.title ?? null,
        seconds: Math.round((performance.now() - startedAt) / 1000),
      }
      await saveNoticed(noticed)
      yield noticed
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
