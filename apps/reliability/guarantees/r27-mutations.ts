import type { Guarantee } from '../guarantee.ts'
import { faults } from '../mutations/faults.ts'
import { misfits, tryFaults } from '../mutations/try-faults.ts'

export const guarantee: Guarantee = {
  id: 'R27',
  statement: 'A lock, a guard or a unique index that is taken away makes a test fail',
  async run({ tier, log, violations }) {
    // Ten minutes: the other forms only check that each fault still has its place and its tests.
    if (tier !== 'long') {
      violations.push(...(await misfits(faults)))
      return { 'faults, not tried': faults.length }
    }
    for await (const { what, by, seconds } of tryFaults(faults)) {
      log(`${what}: ${by ?? 'NOT NOTICED'}, ${seconds} s`)
      if (by === null) violations.push(`not noticed: ${what}`)
    }
    return { faults: faults.length, noticed: faults.length - violations.length }
  },
}
