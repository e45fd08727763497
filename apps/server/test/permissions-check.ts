import { expect } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { CALLERS, type ProcedureName, OBJECTS, PERMISSIONS } from './permissions.ts'
import { callProcedure, type Transport, outcomeOf } from './permissions-transports.ts'
import { routeOf } from './permissions-routes.ts'
import { permissionCase } from './permissions-inputs.ts'
import type { PermissionFixture } from './permissions-fixture.ts'

/** Writes that may leave everything as it was: they only prove something, or answer alike whether there is something to do. */
const MAY_CHANGE_NOTHING: ProcedureName[] = [
  'admin.verifyPassword',
  'admin.activateTeam',
  'admin.activateChallenge',
  'auth.logout',
  'auth.sendOtp',
  'auth.resendOtp',
  'auth.endSessions',
]

/** What a call left behind, where that is not as it should be. */
function describeSideEffects(name: ProcedureName, outcome: string, changed: string[]): string {
  const isRead = routeOf(name).method === 'GET'
  if (outcome !== 'yes' || isRead) return changed.length === 0 ? '' : ` but changed ${changed.join(', ')}`
  return changed.length > 0 || MAY_CHANGE_NOTHING.includes(name) ? '' : ' but changed nothing'
}

/** Makes one call as everybody upon everything, each time from the same situation, and compares with the matrix. */
export async function checkProcedure(
  fixture: PermissionFixture,
  transport: Transport,
  name: ProcedureName,
): Promise<void> {
  const actual: Record<string, string> = {}
  const expected: Record<string, string> = {}
  for (const object of OBJECTS) {
    const row = PERMISSIONS[name][object]
    if (!row) continue
    for (const role of CALLERS) {
      const answer = await callProcedure(transport, name, permissionCase(fixture, role, object))
      const outcome = outcomeOf(answer)
      const changed = await fixture.database.changedTables()
      actual[`${role}, ${object}`] = outcome + describeSideEffects(name, outcome, changed)
      expected[`${role}, ${object}`] = row[role]
      if (changed.length > 0) await expectInvariants(fixture.server.db)
      await fixture.database.restore(changed)
    }
  }
  expect(actual).toEqual(expected)
}
