// `pnpm --filter @community/reliability page`: writes docs/reliability.md from what the runs so far left in `results/`, each row with its own day
// and machine; what was not run is said to be so.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { allGuarantees, type Found, noticedFaults, numberOf, resultsOf, samples } from './files.ts'
import { judgementOf, percent, scoreOf } from './mutants/score.ts'
import { ENOUGH } from './mutants/try.ts'
import { EXTENTS, type Extent, isPartOf, type Guarantee, type Result } from './guarantee.ts'
import { saboteurs } from './saboteurs/saboteurs.ts'

const REPOSITORY = path.join(import.meta.dirname, '../..', path.sep)
const COMMANDS: Record<Extent, string> = {
  short: 'pnpm reliability --short',
  full: 'pnpm reliability',
  long: 'pnpm reliability --long',
}

/** By the order in which they are first told: A, B ... */
const machines: string[] = []
function letterOf({ machine }: Found): string {
  if (!machines.includes(machine)) machines.push(machine)
  return String.fromCharCode(65 + machines.indexOf(machine))
}

const cell = (text: string | number) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
const line = (cells: (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`
const table = (head: string[], rows: (string | number)[][]) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
const say = ({ violations }: Result) => (violations.length === 0 ? 'holds' : `**broken**, ${violations.length}`)

const guarantees = await allGuarantees()
const ids = new Set(guarantees.map(({ id }) => id))
const results = new Map<Extent, (Result & Found)[]>()
for (const extent of EXTENTS) {
  const known = (await resultsOf(extent)).filter(({ id }) => ids.has(id))
  results.set(
    extent,
    known.toSorted((a, b) => numberOf(a) - numberOf(b)),
  )
}

function stateOf(guarantee: Guarantee, extent: Extent): string {
  const result = results.get(extent)?.find(({ id }) => id === guarantee.id)
  if (result) return `${say(result)}, ${result.date}`
  return isPartOf(guarantee, extent) ? 'not run yet' : '–'
}

function sectionOf(extent: Extent): string {
  const found = results.get(extent) ?? []
  if (found.length === 0) return ''
  const rows = found.map((result) => [
    result.id,
    Object.entries(result.figures)
      .map(([what, figure]) => `${what}: ${figure}`)
      .join('; '),
    say(result),
    result.seed,
    result.seconds,
    result.date,
    letterOf(result),
  ])
  const broken = found.flatMap(({ id, violations }) =>
    violations
      .slice(0, 3)
      .map((violation) => `- ${id}: ${violation.replaceAll(REPOSITORY, '').replaceAll(/\s+/g, ' ').slice(0, 300)}`),
  )
  return `## The ${extent} form: \`${COMMANDS[extent]}\`

${table(['#', 'counted and measured', 'result', 'seed', 's', 'day', 'on'], rows)}
${broken.length === 0 ? '' : `\nWhat did not hold, the first three of each:\n\n${broken.join('\n')}\n`}
`
}

const noticed = new Map((await noticedFaults()).map((one) => [one.what, one]))
const faults = saboteurs.map(({ what }) => {
  const one = noticed.get(what)
  if (!one) return [what, 'not tried yet', '', '', '']
  const by = one.by ?? `**nobody**${one.problem ? ` (${one.problem})` : ''}`
  return [what, by, one.seconds, one.date, letterOf(one)]
})

const drawn = await samples()
const scores = drawn.map((sample) => {
  const { equal, noticed, counted, score, from, to } = scoreOf(sample)
  const share = `${percent(score)} (${percent(from)} to ${percent(to)})`
  const tried = `${sample.tried} of ${sample.mutants}`
  return [sample.seed, tried, equal, `${noticed} of ${counted}`, share, sample.seconds, sample.date, letterOf(sample)]
})
const survivors = drawn.flatMap((sample) =>
  sample.survivors.map((mutant) => {
    const { equal, now } = judgementOf(mutant) ?? {}
    const became = equal ? `does the same: ${equal}` : (now ?? '**nobody**')
    return [`${mutant.file}:${mutant.line}`, `\`\`\` ${mutant.change} \`\`\``, became]
  }),
)

const overview = guarantees.map((guarantee) => [
  guarantee.id,
  guarantee.statement,
  ...EXTENTS.map((extent) => stateOf(guarantee, extent)),
])
const sections = EXTENTS.map(sectionOf).join('')
const page = `# Reliability

Guarantees, held or violated by the built server on a real PostgreSQL that syncs to disk, with a real SMTP server, an OpenID
provider and, where \`TEST_S3_ENDPOINT\` names one, a real S3 server. One file a guarantee in \`apps/reliability/guarantees\`; after each the invariants of
\`packages/db/src/testing-invariants.ts\` must hold. A violation ends the run with 1.

\`pnpm reliability --short\` runs the short form, whose limits of time are five times as wide, as it runs wherever and beside whatever. A run says its seed;
\`pnpm reliability --seed N R4\` repeats it. This page is written by \`pnpm --filter @community/reliability page\` from the last run of each guarantee.

## What was run

"–" is not part of that form.

${table(['#', 'guarantee', ...EXTENTS], overview)}

${sections}## Saboteurs: \`pnpm mutations\`

A deliberate fault, one at a time, in a copy of the last commit, and the test that noticed it first.

${table(['fault', 'noticed by', 's', 'day', 'on'], faults)}

## Mutants: \`pnpm --filter @community/reliability mutants\`

Small faults made by rule, with Stryker's operators, in the modules for codes, sessions, teams, submissions and points. All would take many
hours: a sample is drawn by the seed. The score is the share that a test notices, of those that change what the code does, with its 95 %
interval; it is that of the day, before a test was written for what survived. A mutant has survived where none of the test files asked
notices it: those that reach it and the least else, ${ENOUGH} at most; for the first sample those of its own module.

${table(['seed', 'tried', 'do the same', 'noticed', 'score', 's', 'day', 'on'], scores)}

${table(['what survived', 'change', 'what became of it'], survivors)}

## Machines

${machines.map((machine, index) => `- ${String.fromCharCode(65 + index)}: ${machine}`).join('\n')}
`
await writeFile(path.join(import.meta.dirname, '../../docs/reliability.md'), page)
