// `pnpm --filter @community/reliability page`: updates the tables of docs/reliability.md from `results/`. Rows without a newer result stay.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { allGuarantees, noticedFaults, resultsOf } from './files.ts'
import { TIERS } from './guarantee.ts'
import { faults } from './mutations/mutate.ts'

const PAGE = path.join(import.meta.dirname, '../../docs/reliability.md')

type Row = (string | number)[]
const print = (cells: Row) =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |\n`

let page = await readFile(PAGE, 'utf8')

/** Rewrites the table below a heading: a row for each name, updated or unchanged. */
function updateTable(heading: string, names: string[], rows: Row[]): void {
  const table = new RegExp(`(?<=${heading}\\b[^]*?\\n\\|[ |-]+\\n)(?:\\| .*\\n)*`)
  page = page.replace(table, (before) => {
    const lines = [...rows.map(print), ...before.split(/(?<=\n)/)]
    return names.map((name) => lines.find((line) => line.startsWith(print([name]).trimEnd())) ?? '').join('')
  })
}

const guarantees = await allGuarantees()
const ids = guarantees.map(({ id }) => id)
const statements = guarantees.map(({ id, statement }) => [id, statement])
updateTable('## Guarantees', ids, statements)
for (const tier of TIERS) {
  const rows = (await resultsOf(tier)).map(({ id, seed, seconds, violations, date, figures }) => {
    const state = violations.length === 0 ? 'holds' : `**broken**, ${violations.length}`
    const measured = Object.entries(figures).map(([what, figure]) => `${what}: ${figure}`)
    return [id, measured.join('; '), state, seed, seconds, date]
  })
  updateTable(`## The ${tier} form`, ids, rows)
}
const noticed = (await noticedFaults()).map(({ what, by, seconds, date }) => [what, by ?? '**nobody**', seconds, date])
const names = faults.map(({ what }) => what)
updateTable('## Mutations', names, noticed)
await writeFile(PAGE, page)
