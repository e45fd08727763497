import type { Guarantee } from '../guarantee.ts'
import { faults } from '../mutations/mutate.ts'
import { findUnmatched, tryFaults } from '../mutations/try-faults.ts'

export const guarantee: Guarantee = {
  id: 'R27',
  statement: 'Removing a lock, a check or a unique index makes a test fail',
  async run({ tier, expect, expectNone, log }) {
    // Takes ten minutes: the other forms only check that each fault still matches the source and has tests.
    if (tier !== 'long') {
      expectNone(await findUnmatched(faults))
      return { 'faults, not tried': faults.length }
    }
    let noticed = 0
    for await (const { what, by, seconds } of tryFaults(faults)) {
      log(`${what}: ${by ?? 'NOT NOTICED'}, ${seconds} s`)
      expect(by !== null, `not noticed: ${what}`)
      if (by !== null) noticed++
    }
    return { faults: faults.length, noticed }
  },
}
