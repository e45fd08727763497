// `pnpm mutations [part of a name]`: does somebody notice? Ends with 1 where no test failed of a fault.
import { told, tryFaults } from './notice.ts'
import { saboteurs } from './saboteurs.ts'

const [part = ''] = process.argv.slice(2)
const chosen = saboteurs.filter(({ what }) => what.toLowerCase().includes(part.toLowerCase()))
let unnoticed = 0
for await (const noticed of tryFaults(chosen)) {
  if (noticed.by === null) unnoticed++
  process.stdout.write(`${told(noticed)}\n`)
}
process.stdout.write(`\n${chosen.length} faults, ${unnoticed} not noticed\n`)
process.exitCode = unnoticed === 0 ? 0 : 1
