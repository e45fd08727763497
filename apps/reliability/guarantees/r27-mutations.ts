import type { Guarantee } from '../guarantee.ts'
import { faults } from '../mutations/mutate.ts'
import { tryFaults } from '../mutations/try-faults.ts'

export const guarantee: Guarantee = {
  id: 'R27',
  statement: 'Removing a lock, a check or a unique index makes a test fail',
  // Takes half an hour. `mutations/faults.test.ts` checks in every run that each fault still matches the source.
  from: 'long',
  async run({ expect, log }) {
    let noticed = 0
    for await (const { what, by, seconds } of tryFaults(faults)) {
      log(`${what}: ${by ?? 'NOT NOTICED'}, ${seconds} s`)
      expect(by !== null, `not noticed: ${what}`)
      if (by !== null) noticed++
    }
    return { faults: faults.length, noticed }
  },
}
