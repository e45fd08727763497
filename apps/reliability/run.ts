// `pnpm reliability [--short|--long] [--seed N] [--minutes N] [R1 R5 ...]`: runs the guarantees, one after the other. Ends with
// 1 on any violation. `--minutes` is how long a soak lasts.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { allGuarantees, keepResult } from './files.ts'
import { type Extent, isPartOf, type Outcome, type Guarantee } from './guarantee.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean' },
    long: { type: 'boolean' },
    seed: { type: 'string' },
    minutes: { type: 'string', default: '10' },
  },
})
const extent: Extent = values.long ? 'long' : values.short ? 'short' : 'full'
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error(`--minutes ${values.minutes} is no length of time`)

const guarantees = await allGuarantees()
const unknown = positionals.filter((id) => !guarantees.some((guarantee) => guarantee.id === id))
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}; there are ${guarantees.map(({ id }) => id).join(', ')}`)
const chosen = guarantees.filter((guarantee) =>
  positionals.length > 0 ? positionals.includes(guarantee.id) : isPartOf(guarantee, extent),
)

const say = (line: string) => process.stdout.write(`${line}\n`)
const log = (line: string) => say(`    ${line}`)

/** A guarantee that breaks down has not held. */
async function attempt(guarantee: Guarantee): Promise<Outcome> {
  try {
    return await guarantee.run({ extent, seed, minutes, log })
  } catch (error) {
    return { figures: {}, violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }
  }
}

say(`${chosen.length} guarantees, ${extent}, seed ${seed}`)
let violations = 0
for (const guarantee of chosen) {
  say(`\n${guarantee.id} ${guarantee.statement}`)
  const began = performance.now()
  const outcome = await attempt(guarantee)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  for (const [what, figure] of Object.entries(outcome.figures)) log(`${what}: ${figure}`)
  for (const violation of outcome.violations.slice(0, 20)) log(`VIOLATION ${violation}`)
  log(`${outcome.violations.length === 0 ? 'holds' : `BROKEN, ${outcome.violations.length} violations`}, ${seconds} s`)
  violations += outcome.violations.length
  // At once: a long run that is broken off has found something too.
  await keepResult(extent, { id: guarantee.id, statement: guarantee.statement, seed, seconds, ...outcome })
}
say(`\n${violations} violations; seed ${seed}`)
// What a broken guarantee left open shall not keep the run from ending.
process.exit(violations === 0 ? 0 : 1)
