import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { keepNoticed, type Noticed } from '../files.ts'
import type { Saboteur } from './saboteurs.ts'

const run = promisify(execFile)
const REPOSITORY = path.resolve(import.meta.dirname, '../..')
const PATIENCE = 20 * 60_000
const SERVER = 'apps/server'

/** A copy of the last commit that is installed and built like a fresh clone. */
export async function copyOfCommit(): Promise<string> {
  const copy = path.join(await mkdtemp(path.join(os.tmpdir(), 'community-saboteurs-')), 'copy')
  await run('git', ['clone', '--quiet', REPOSITORY, copy])
  await run('pnpm', ['install', '--offline', '--frozen-lockfile'], { cwd: copy, maxBuffer: 2 ** 26 })
  await run('pnpm', ['build'], { cwd: copy, maxBuffer: 2 ** 26 })
  return copy
}

/** The titles of the tests that failed; a run that broke down without a test's word is an error. */
async function failuresOf(
  copy: string,
  { tests, suite = SERVER }: Pick<Saboteur, 'tests' | 'suite'>,
): Promise<string[]> {
  const report = path.join(copy, 'saboteur.json')
  await rm(report, { force: true })
  await run('npx', ['vitest', 'run', '--reporter=json', `--outputFile=${report}`, '--bail=1', ...tests], {
    cwd: path.join(copy, suite),
    timeout: PATIENCE,
    maxBuffer: 2 ** 26,
  }).catch(() => {
    // Tests that fail end it with 1: that is what we came for.
  })
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
    testResults: { message: string; assertionResults: { status: string; fullName: string }[] }[]
  }
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed'),
  )
  // A world that does not even open is noticed too.
  const broken = testResults.filter(({ assertionResults, message }) => assertionResults.length === 0 && message !== '')
  return [...failed.map(({ fullName }) => fullName), ...broken.map(({ message }) => message.split('\n')[0] ?? '')]
}

/** @throws where one of the tests fails without any fault: then it would notice nothing. */
async function expectSound(copy: string, faults: Saboteur[]): Promise<void> {
  const suites = new Map<NonNullable<Saboteur['suite']>, Set<string>>()
  for (const { suite = SERVER, tests } of faults) suites.set(suite, new Set([...(suites.get(suite) ?? []), ...tests]))
  for (const [suite, tests] of suites) {
    const failed = await failuresOf(copy, { suite, tests: [...tests] })
    if (failed.length > 0) throw new Error(`fails without a fault: ${failed.join(', ')}`)
  }
}

const standsOnce = (text: string, { find }: Saboteur): boolean => text.split(find).length === 2

/** What of the faults no longer fits the repository: text that is not there once, tests that are gone. */
export async function strayed(faults: Saboteur[]): Promise<string[]> {
  const told: string[] = []
  for (const fault of faults) {
    const { what, file, suite = SERVER, tests } = fault
    if (!standsOnce(await readFile(path.join(REPOSITORY, file), 'utf8'), fault))
      told.push(`${what}: does not stand once in ${file}`)
    for (const test of tests)
      if (!existsSync(path.join(REPOSITORY, suite, test))) told.push(`${what}: there is no ${suite}/${test}`)
  }
  return told
}

async function whoNotices(copy: string, saboteur: Saboteur): Promise<Pick<Noticed, 'by' | 'problem'>> {
  const file = path.join(copy, saboteur.file)
  const original = await readFile(file, 'utf8')
  if (!standsOnce(original, saboteur)) return { by: null, problem: `does not stand once in ${saboteur.file}` }
  try {
    await writeFile(
      file,
      original.replace(saboteur.find, () => saboteur.replace),
    )
    return { by: (await failuresOf(copy, saboteur))[0] ?? null }
  } finally {
    await writeFile(file, original)
  }
}

/** Applies one fault after the other to a copy of what is committed, and tells of each which test noticed it. */
export async function* tryFaults(faults: Saboteur[]): AsyncGenerator<Noticed> {
  const copy = await copyOfCommit()
  try {
    await expectSound(copy, faults)
    for (const saboteur of faults) {
      const began = performance.now()
      const found = await whoNotices(copy, saboteur)
      const noticed = { what: saboteur.what, ...found, seconds: Math.round((performance.now() - began) / 1000) }
      await keepNoticed(noticed)
      yield noticed
    }
  } finally {
    await rm(path.dirname(copy), { recursive: true, force: true })
  }
}

/** In one line. */
export const told = ({ what, by, problem, seconds }: Noticed): string =>
  `${what}: ${by ?? `NOBODY${problem ? ` (${problem})` : ''}`}, ${seconds} s`
