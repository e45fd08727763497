import type { Guarantee } from '../guarantee.ts'
import { strayed, told, tryFaults } from '../saboteurs/notice.ts'
import { saboteurs } from '../saboteurs/saboteurs.ts'

export const guarantee: Guarantee = {
  id: 'R27',
  statement: 'A lock, a guard or a unique index that is taken away makes a test fail',
  async run({ extent, log }) {
    // To try them takes ten minutes: until the long form only whether they still could be.
    if (extent !== 'long')
      return { figures: { 'faults, not tried': saboteurs.length }, violations: await strayed(saboteurs) }
    const violations: string[] = []
    for await (const noticed of tryFaults(saboteurs)) {
      log(told(noticed))
      if (noticed.by === null) violations.push(told(noticed))
    }
    return { figures: { faults: saboteurs.length, noticed: saboteurs.length - violations.length }, violations }
  },
}
