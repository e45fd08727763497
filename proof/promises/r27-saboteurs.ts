import type { Proof } from '../proof.ts'
import { told, tryFaults } from '../saboteurs/notice.ts'
import { saboteurs } from '../saboteurs/saboteurs.ts'

export const proof: Proof = {
  id: 'R27',
  promise: 'A lock, a guard or a unique index that is taken away makes a test fail',
  from: 'long',
  async run({ log }) {
    const violations: string[] = []
    for await (const noticed of tryFaults(saboteurs)) {
      log(told(noticed))
      if (noticed.by === null) violations.push(told(noticed))
    }
    return { figures: { faults: saboteurs.length, noticed: saboteurs.length - violations.length }, violations }
  },
}
