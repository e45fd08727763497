// `pnpm reliability [--short|--long] [--seed N] [--minutes N] [--from COMMIT] [R1 R5 ...]`: runs the guarantees one after the
// other. Exits with 1 on any violation. `--minutes` is the duration of a soak test, `--from` the version to upgrade from.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { numericSeed } from '@community/testing'
import { allGuarantees, saveResult } from './files.ts'
import { type Guarantee, type GuaranteeContext, inMs, isPartOf, type Result, type Tier } from './guarantee.ts'
import { type Fixture, openFixture } from './harness/fixture.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean' },
    long: { type: 'boolean' },
    seed: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    from: { type: 'string' },
  },
})
const tier: Tier = values.long ? 'long' : values.short ? 'short' : 'full'
// The short form rotates with the commit, so that it can be repeated; the others draw anew.
const drawnSeed = tier === 'short' ? numericSeed() : randomInt(2 ** 31)
const seed = values.seed === undefined ? drawnSeed : Number(values.seed)
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error(`--minutes ${values.minutes} is no length of time`)

const guarantees = await allGuarantees()
const unknown = positionals.filter((id) => !guarantees.some((guarantee) => guarantee.id === id))
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}; there are ${guarantees.map(({ id }) => id).join(', ')}`)
const chosen = guarantees.filter((guarantee) =>
  positionals.length > 0 ? positionals.includes(guarantee.id) : isPartOf(guarantee, tier),
)

const print = (line: string) => process.stdout.write(`${line}\n`)
const log = (line: string) => print(`    ${line}`)

async function attempt(guarantee: Guarantee): Promise<Result> {
  const startedAt = performance.now()
  const violations: string[] = []
  const cleanUps: (() => unknown)[] = []
  const fixtures: Fixture[] = []
  const expect = (condition: boolean, violation: string) => {
    if (!condition) violations.push(violation)
  }
  const timeLimit = (milliseconds: number) => milliseconds * (tier === 'short' ? 5 : 1)
  const context: GuaranteeContext = {
    tier,
    seed,
    minutes,
    from: values.from,
    log,
    byTier: ({ short, full, long = full }) => ({ short, full, long })[tier],
    expect,
    expectNone: (found) => void violations.push(...found),
    timeLimit,
    expectWithin: (milliseconds, took, what) => expect(took <= timeLimit(milliseconds), `${what} took ${inMs(took)}`),
    onFinished: (cleanUp) => void cleanUps.push(cleanUp),
    async openFixture(options) {
      const fixture = await openFixture(options)
      cleanUps.push(() => fixture.close())
      fixtures.push(fixture)
      return fixture
    },
  }
  let figures: Result['figures'] = {}
  try {
    figures = await guarantee.run(context)
    for (const fixture of fixtures) violations.push(...(await fixture.brokenInvariants()))
  } catch (error) {
    violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  for (const fixture of fixtures) violations.push(...fixture.crashes())
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  return { id: guarantee.id, seed, seconds, figures, violations }
}

print(`${chosen.length} guarantees, ${tier}, seed ${seed}`)
let violated = 0
for (const guarantee of chosen) {
  print(`\n${guarantee.id} ${guarantee.statement}`)
  const result = await attempt(guarantee)
  const { figures, violations, seconds } = result
  for (const [what, figure] of Object.entries(figures)) log(`${what}: ${figure}`)
  for (const violation of violations.slice(0, 20)) log(`VIOLATION ${violation}`)
  log(`${violations.length === 0 ? 'holds' : `BROKEN, ${violations.length} violations`}, ${seconds} s`)
  violated += violations.length
  // Saved after each guarantee, so that an interrupted run keeps its results.
  await saveResult(tier, result)
}
print(`\n${violated} violations; seed ${seed}`)
// Open handles of a broken guarantee must not keep the run alive.
process.exit(violated === 0 ? 0 : 1)
