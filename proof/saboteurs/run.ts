// `pnpm saboteurs [part of a name]`: does somebody notice? Applies one fault after the other to a copy of what is committed, and runs the
// tests that should. Ends with 1 where none of them failed.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Saboteur, saboteurs } from './saboteurs.ts'

const run = promisify(execFile)
const REPOSITORY = path.resolve(import.meta.dirname, '../..')
const PATIENCE = 10 * 60_000
const say = (line: string) => process.stdout.write(`${line}\n`)

/** A copy of the last commit that is installed and built like a fresh clone. */
async function copyOfCommit(): Promise<string> {
  const copy = path.join(await mkdtemp(path.join(os.tmpdir(), 'community-saboteurs-')), 'copy')
  await run('git', ['clone', '--quiet', REPOSITORY, copy])
  await run('pnpm', ['install', '--offline', '--frozen-lockfile'], { cwd: copy, maxBuffer: 2 ** 26 })
  await run('pnpm', ['build'], { cwd: copy, maxBuffer: 2 ** 26 })
  return copy
}

/** The titles of the tests that failed; null where the run itself broke down without a test's word. */
async function failuresOf(copy: string, { tests, suite = 'apps/server' }: Saboteur): Promise<string[]> {
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

async function isNoticed(copy: string, saboteur: Saboteur): Promise<{ by: string | null; problem?: string }> {
  const file = path.join(copy, saboteur.file)
  const original = await readFile(file, 'utf8')
  if (original.split(saboteur.find).length !== 2)
    return { by: null, problem: `does not stand once in ${saboteur.file}` }
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

const [part = ''] = process.argv.slice(2)
const chosen = saboteurs.filter(({ what }) => what.toLowerCase().includes(part.toLowerCase()))
const copy = await copyOfCommit()
const lines = ['| fault | noticed by | s |', '|---|---|---|']
let unnoticed = 0
try {
  for (const saboteur of chosen) {
    const began = performance.now()
    const { by, problem } = await isNoticed(copy, saboteur)
    if (by === null) unnoticed++
    const seconds = Math.round((performance.now() - began) / 1000)
    const line = `| ${saboteur.what} | ${by ?? `NOBODY${problem ? ` (${problem})` : ''}`} | ${seconds} |`
    say(line)
    lines.push(line)
  }
} finally {
  await rm(path.dirname(copy), { recursive: true, force: true })
}
const results = path.join(import.meta.dirname, '../results')
await mkdir(results, { recursive: true })
await writeFile(path.join(results, 'saboteurs.md'), `${lines.join('\n')}\n`)
say(`\n${chosen.length} faults, ${unnoticed} not noticed`)
process.exitCode = unnoticed === 0 ? 0 : 1
