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
const slowest = cases
  .map((each) => ({ ...each, took: timeOf(each.run) }))
  .toSorted((a, b) => b.took - a.took)
  .slice(0, SHOWN)

process.stdout.write('| field | text | ms |\n| --- | --- | ---: |\n')
for (const { name, what, run } of slowest) {
  // The fastest of several runs: a busy machine is slow once, a backtracking pattern each time.
  const took = Math.min(...Array.from({ length: RUNS }, () => timeOf(run)))
  process.stdout.write(`| ${name} | ${what} | ${took.toFixed(1)} |\n`)
}
