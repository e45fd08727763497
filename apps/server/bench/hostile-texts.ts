// Prints the fields that take longest to validate a long text made to be slow for backtracking patterns and for cleaning.
import { nameKey, searchKey } from '@community/contract'
import { HOSTILE_TEXTS } from '@community/testing'
import { ROUTES } from '../test/permissions-routes.ts'
import { nameOf, TEXT_FIELD_KINDS } from '../test/security-fields.ts'

const RUNS = 5
const SHOWN = 8

function timeOf(work: () => unknown): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

/** An input with this text at the field and nothing else: zod validates every field that is there. */
const inputAt = (path: string[], text: string): unknown =>
  path.reduceRight<unknown>((inner, step) => (step === '0' ? [inner] : { [step]: inner }), text)

const parsers = TEXT_FIELD_KINDS.map((field): [name: string, parse: (text: string) => unknown] => [
  nameOf(field),
  (text) => ROUTES.get(field.call)?.input?.safeParse(inputAt(field.path, text)),
])
const cases = [...parsers, ['nameKey', nameKey] as const, ['searchKey', searchKey] as const].flatMap(([name, run]) =>
  HOSTILE_TEXTS.map(([what, text]) => ({ name, what, run: () => run(text) })),
)
/** The slowest cases, each by its fastest run: a busy machine is slow once, a backtracking pattern each time. */
const slowest = <C extends (typeof cases)[number]>(candidates: C[], runs: number, count: number) =>
  candidates
    .map((candidate) => ({
      ...candidate,
      took: Math.min(...Array.from({ length: runs }, () => timeOf(candidate.run))),
    }))
    .toSorted((a, b) => b.took - a.took)
    .slice(0, count)

process.stdout.write('| field | text | ms |\n| --- | --- | ---: |\n')
// Two runs of all, of which the first compiles; more of those that may be among the slowest.
for (const { name, what, took } of slowest(slowest(cases, 2, 4 * SHOWN), RUNS, SHOWN))
  process.stdout.write(`| ${name} | ${what} | ${took.toFixed(1)} |\n`)
