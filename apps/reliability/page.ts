// `pnpm --filter @community/reliability page`: updates docs/reliability.md from `results/`. A row without a newer result stays as it is, with
// its own day and machine.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { allGuarantees, type Found, noticedFaults, resultsOf } from './files.ts'
import { TIERS, type Tier, isPartOf } from './guarantee.ts'
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

/** The cells of the rows that a section of the page has, by their first cell. */
function rowsOf(heading: string): Map<string, string[]> {
  const lines = (sections.get(heading) ?? '').split('\n').filter((line) => line.startsWith('| '))
  const rows = lines.slice(2).map((line) => line.slice(2, -2).split(/(?<!\\) \| /))
  return new Map(rows.map((cells) => [cells[0] ?? '', cells]))
}

const machines = [...(sections.get('## Machines') ?? '').matchAll(/^- [A-Z]: (.*)$/gm)].map(([, name = '']) => name)
function letterOf({ machine }: Found): string {
  if (!machines.includes(machine)) machines.push(machine)
  return String.fromCharCode(65 + machines.indexOf(machine))
}

const cell = (text: string | number) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
const line = (cells: string[]) => `| ${cells.join(' | ')} |`
const table = (head: string[], rows: string[][]) => [head, head.map(() => '---'), ...rows].map(line).join('\n')

const guarantees = await allGuarantees()
const [STATE, DAY] = [2, 5]
const tried = new Map<Tier, Map<string, string[]>>()
for (const tier of TIERS) {
  const rows = rowsOf(HEADINGS[tier])
  for (const result of await resultsOf(tier)) {
    const { id, seed, seconds, violations, date } = result
    const figures = Object.entries(result.figures).map(([what, figure]) => `${what}: ${figure}`)
    const state = violations.length === 0 ? 'holds' : `**broken**, ${violations.length}`
    rows.set(id, [id, figures.join('; '), state, seed, seconds, date, letterOf(result)].map(cell))
  }
  tried.set(tier, rows)
}

const overview = guarantees.map((guarantee) => {
  const states = TIERS.map((tier) => {
    const row = tried.get(tier)?.get(guarantee.id)
    if (row) return `${row[STATE]}, ${row[DAY]}`
    return isPartOf(guarantee, tier) ? 'not run yet' : '–'
  })
  return [guarantee.id, cell(guarantee.statement), ...states]
})
const forms = TIERS.map((tier) => {
  const rows = guarantees.flatMap(({ id }) => {
    const row = tried.get(tier)?.get(id)
    return row ? [row] : []
  })
  return `${HEADINGS[tier]}\n\n${table(['#', 'counted and measured', 'result', 'seed', 's', 'day', 'on'], rows)}\n\n`
})

const noticed = rowsOf(HEADINGS.mutations)
for (const found of await noticedFaults()) {
  const { what, by, seconds, date } = found
  noticed.set(what, [what, by ?? '**nobody**', seconds, date, letterOf(found)].map(cell))
}
const mutations = faults.map(({ what }) => noticed.get(what) ?? [what, 'not tried yet', '', '', ''])

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

${forms.join('')}${HEADINGS.mutations}

One fault at a time in a copy of the last commit, and the first test that noticed it. A sample of 83 mutants by Stryker's operators was tried
on 2026-11-21: 69 of the 79 that changed behaviour were noticed (87.3 %), and tests were written for the others.

${table(['fault', 'noticed by', 's', 'day', 'on'], mutations)}

## Machines

${machines.map((machine, index) => `- ${String.fromCharCode(65 + index)}: ${machine}`).join('\n')}
`
await writeFile(PAGE, page)
