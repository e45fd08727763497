import { expect } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { CALLERS, type ProcedureName, OBJECTS } from './permissions-outcomes.ts'
import { PERMISSIONS } from './permissions.ts'
import { callProcedure, type Transport, outcomeOf } from './permissions-transports.ts'
import { routeOf } from './permissions-routes.ts'
import { permissionCase } from './permissions-inputs.ts'
import type { PermissionFixture } from './permissions-fixture.ts'

/** Mutations that may succeed without changing the database. */
const MAY_CHANGE_NOTHING: ProcedureName[] = [
  // It only reads, but its token must not be in a URL.
  'notifications.linkedPreferences',
  'admin.verifyPassword',
  'auth.logout',
  'auth.sendOtp',
  'auth.resendOtp',
]

/** Describes unexpected or missing changes. */
function describeSideEffects(name: ProcedureName, outcome: string, changed: string[]): string {
  const isRead = routeOf(name).method === 'GET'
  if (outcome !== 'yes' || isRead) return changed.length === 0 ? '' : ` but changed ${changed.join(', ')}`
  // An entry of the audit log says that something changed; it is no change itself.
  const hasChanged = changed.some((table) => table !== 'audit_log')
  return hasChanged || MAY_CHANGE_NOTHING.includes(name) ? '' : ' but changed nothing'
}

/** Calls a procedure as every caller on every target from the same state, and compares the outcomes with the matrix. */
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
      const response = await callProcedure(transport, name, permissionCase(fixture, role, object))
      const outcome = outcomeOf(response)
      const changed = await fixture.database.changedTables()
      actual[`${role}, ${object}`] = outcome + describeSideEffects(name, outcome, changed)
      expected[`${role}, ${object}`] = row[role]
      if (changed.length > 0) await expectInvariants(fixture.server.db)
      await fixture.database.restore(changed)
    }
  }
  expect(actual).toEqual(expected)
}
