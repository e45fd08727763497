// `pnpm --filter @community/server bench:table [file]`: writes a run's tables into docs/performance.md; the newest run's, if none is named.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Results, tablesOf } from './report.ts'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const PAGE = here('../../../docs/performance.md')
const BEGIN = '<!-- results: begin -->'
const END = '<!-- results: end -->'

function newest(): string {
  const names = readdirSync(here('results')).filter((file) => file.endsWith('.json'))
  const name = names.toSorted().at(-1)
  if (!name) throw new Error('There are no results yet: run `pnpm bench` first')
  return here(`results/${name}`)
}

const [file = newest()] = process.argv.slice(2)
// Missing figures are null in JSON, as NaN has no form there.
const results = JSON.parse(readFileSync(file, 'utf8')) as Results
const page = readFileSync(PAGE, 'utf8')
const [before, rest] = page.split(BEGIN)
const [, after] = rest?.split(END) ?? []
if (before === undefined || after === undefined) throw new Error(`${PAGE} lacks the markers of the results`)
writeFileSync(PAGE, `${before}${BEGIN}\n\n${tablesOf(results)}\n\n${END}${after}`)
