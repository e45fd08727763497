import { expect } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { CALLERS, type CallName, OBJECTS, PERMISSIONS } from './permissions.ts'
import { callAt, type Door, outcomeOf } from './permissions-transports.ts'
import { routeOf } from './permissions-routes.ts'
import { placeOf } from './permissions-inputs.ts'
import type { Situation } from './permissions-situation.ts'

/** Writes that may leave everything as it was: they only prove something, or answer alike whether there is something to do. */
const MAY_LEAVE_NOTHING: CallName[] = [
  'admin.verifyPassword',
  'admin.activateTeam',
  'admin.activateChallenge',
  'auth.logout',
  'auth.sendOtp',
  'auth.resendOtp',
  'auth.endSessions',
]

/** What a call left behind, where that is not as it should be. */
function wrongTraces(name: CallName, outcome: string, changed: string[]): string {
  const isRead = routeOf(name).method === 'GET'
  if (outcome !== 'yes' || isRead) return changed.length === 0 ? '' : ` but changed ${changed.join(', ')}`
  return changed.length > 0 || MAY_LEAVE_NOTHING.includes(name) ? '' : ' but changed nothing'
}

/** Makes one call as everybody upon everything, each time from the same situation, and compares with the matrix. */
export async function checkCall(s: Situation, door: Door, name: CallName): Promise<void> {
  const found: Record<string, string> = {}
  const expected: Record<string, string> = {}
  for (const object of OBJECTS) {
    const row = PERMISSIONS[name][object]
    if (!row) continue
    for (const who of CALLERS) {
      const answer = await callAt(door, name, placeOf(s, who, object))
      const outcome = outcomeOf(answer)
      const changed = await s.database.changed()
      found[`${who}, ${object}`] = outcome + wrongTraces(name, outcome, changed)
      expected[`${who}, ${object}`] = row[who]
      if (changed.length > 0) await expectInvariants(s.world.db)
      await s.database.restore(changed)
    }
  }
  expect(found).toEqual(expected)
}
