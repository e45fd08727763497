// `pnpm proof [--short|--long] [--seed N] [R1 R5 ...]`: keeps the product to its promises, one after the other. Ends with 1 on any violation.
import { randomInt } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Extent, Outcome, Proof, Result } from './proof.ts'

const HERE = import.meta.dirname

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean' }, long: { type: 'boolean' }, seed: { type: 'string' } },
})
const extent: Extent = values.long ? 'long' : values.short ? 'short' : 'full'
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)

const files = (await readdir(path.join(HERE, 'promises'))).filter((name) => name.endsWith('.ts')).toSorted()
const proofs = await Promise.all(
  files.map(async (name) => ((await import(`./promises/${name}`)) as { proof: Proof }).proof),
)
const unknown = positionals.filter((id) => !proofs.some((proof) => proof.id === id))
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}; there are ${proofs.map(({ id }) => id).join(', ')}`)
const chosen =
  positionals.length > 0
    ? proofs.filter(({ id }) => positionals.includes(id))
    : proofs.filter(({ isLong }) => extent === 'long' || !isLong)

const say = (line: string) => process.stdout.write(`${line}\n`)
const log = (line: string) => say(`    ${line}`)

/** A proof that breaks down has not held. */
async function attempt(proof: Proof): Promise<Outcome> {
  try {
    return await proof.run({ extent, seed, log })
  } catch (error) {
    return { figures: {}, violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }
  }
}

say(`${chosen.length} promises, ${extent}, seed ${seed}`)
const results: Result[] = []
let violations = 0
for (const proof of chosen) {
  say(`\n${proof.id} ${proof.promise}`)
  const began = performance.now()
  const outcome = await attempt(proof)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  for (const [what, figure] of Object.entries(outcome.figures)) log(`${what}: ${figure}`)
  for (const violation of outcome.violations.slice(0, 20)) log(`VIOLATION ${violation}`)
  log(`${outcome.violations.length === 0 ? 'holds' : `BROKEN, ${outcome.violations.length} violations`}, ${seconds} s`)
  violations += outcome.violations.length
  results.push({ id: proof.id, promise: proof.promise, seed, seconds, ...outcome })
}

const folder = path.join(HERE, 'results')
const file = path.join(folder, `${extent}.json`)
await mkdir(folder, { recursive: true })
const before = await readFile(file, 'utf8').then(
  (text) => JSON.parse(text) as Result[],
  () => [],
)
// A run of some proofs leaves what the others found last.
const kept = before.filter(({ id }) => !results.some((result) => result.id === id))
const all = [...kept, ...results].toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
await writeFile(file, `${JSON.stringify(all, null, 2)}\n`)
say(`\n${violations} violations; seed ${seed}`)
// What a broken proof left open shall not keep the run from ending.
process.exit(violations === 0 ? 0 : 1)
