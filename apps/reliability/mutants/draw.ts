import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { Instrumenter } from '@stryker-mutator/instrumenter'

const run = promisify(execFile)

/** What is mutated: codes and sessions, teams, submissions and points, and the rules they are judged by. */
const MODULES = [
  'apps/server/src/auth',
  'apps/server/src/teams',
  'apps/server/src/submissions',
  'packages/contract/src/*/rules.ts',
]

/** A small fault made by rule: what stands at a place becomes something else. */
export interface Mutant {
  id: string
  file: string
  line: number
  change: string
}

const [no, silent] = [() => false, () => {}]
const logger = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
}

const short = (code: string): string => {
  const line = code.replaceAll(/\s+/g, ' ')
  return line.length > 90 ? `${line.slice(0, 90)} …` : line
}

/** Writes every mutant into the sources of a copy, each behind a switch that is off, and tells what they are. */
export async function writeMutants(copy: string): Promise<Mutant[]> {
  const { stdout } = await run('git', ['ls-files', ...MODULES], { cwd: copy })
  const files = stdout.split('\n').filter((name) => name.endsWith('.ts') && !/\.(test|gen)\.ts$/.test(name))
  const sources = new Map<string, string>()
  for (const name of files) sources.set(name, await readFile(path.join(copy, name), 'utf8'))
  const { files: switched, mutants } = await new Instrumenter(logger).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  )
  for (const { name, content } of switched) await writeFile(path.join(copy, name), content)
  return mutants.map(({ id, fileName, location: { start, end }, replacement }) => {
    const lines = (sources.get(fileName) ?? '').split('\n').slice(start.line, end.line + 1)
    lines.push((lines.pop() ?? '').slice(0, end.column))
    const original = [(lines.shift() ?? '').slice(start.column), ...lines].join('\n')
    return { id, file: fileName, line: start.line + 1, change: `${short(original)} → ${short(replacement)}` }
  })
}

/** As many as one asks for, drawn by the seed; a larger sample of one seed begins with the smaller. */
export function draw(mutants: readonly Mutant[], seed: number, count: number): Mutant[] {
  const lot = ({ id }: Mutant) => createHash('sha256').update(`${seed} ${id}`).digest('hex')
  return mutants.toSorted((a, b) => (lot(a) < lot(b) ? -1 : 1)).slice(0, count)
}
