// Prints the fields that take longest to validate a long text made to be slow for backtracking patterns and for cleaning.
import { nameKey, searchKey } from '@community/contract'
import { HOSTILE_TEXTS } from '@community/testing'
import { ROUTES } from '../test/permissions-routes.ts'
import { nameOf, TEXT_FIELD_KINDS } from '../test/security-fields.ts'

const RUNS = 3
const SHOWN = 8

/** The fastest of several runs in milliseconds: a busy machine is slow once, a backtracking pattern each time. */
function measure(work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const startedAt = performance.now()
    work()
    return performance.now() - startedAt
  })
  return Math.min(...times)
}

/** An input with this text at the field and nothing else: zod validates every field that is there. */
const inputAt = (path: string[], text: string): unknown =>
  path.reduceRight<unknown>((inner, step) => (step === '0' ? [inner] : { [step]: inner }), text)

const parsers = TEXT_FIELD_KINDS.map((field): [name: string, parse: (text: string) => unknown] => [
  nameOf(field),
  (text) => ROUTES.get(field.call)?.input?.safeParse(inputAt(field.path, text)),
])
const results = [...parsers, ['nameKey', nameKey] as const, ['searchKey', searchKey] as const].flatMap(([name, run]) =>
  HOSTILE_TEXTS.map(([what, text]) => ({ name, what, took: measure(() => run(text)) })),
)

process.stdout.write('| field | text | ms |\n| --- | --- | ---: |\n')
for (const { name, what, took } of results.toSorted((a, b) => b.took - a.took).slice(0, SHOWN))
  process.stdout.write(`| ${name} | ${what} | ${took.toFixed(1)} |\n`)
