import { TOKEN_SCOPES, type TokenScope } from '@community/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { hashToken } from '../src/auth/hash-token.ts'
import { generateToken } from '../src/personal-tokens/token-format.ts'
import { type CallerName, OBJECTS, type ObjectName, type ProcedureName } from './permissions-outcomes.ts'
import { PERMISSIONS } from './permissions.ts'
import { openPermissionFixture } from './permissions-fixture.ts'
import { permissionCase } from './permissions-inputs.ts'
import { routeOf } from './permissions-routes.ts'
import { callProcedure, outcomeOf, restTransport } from './permissions-transports.ts'

const fixture = await openPermissionFixture()
afterAll(() => fixture.close())

const CASES: [caller: CallerName, scope: TokenScope][] = [
  ['member', 'write'],
  ['chef', 'write'],
  ['chef', 'read'],
  ['admin', 'admin'],
  ['adminNoPassword', 'admin'],
]

/** A token with this scope and those below it. */
async function insertToken(userId: string, scope: TokenScope): Promise<string> {
  const token = generateToken()
  const scopes = TOKEN_SCOPES.slice(0, TOKEN_SCOPES.indexOf(scope) + 1)
  await fixture.server.sql`
    insert into personal_tokens (user_id, name, hash, scopes, expires_at)
    values (${userId}, 'Matrix', ${hashToken(token)}, ${scopes}, now() + interval '1 day')`
  return token
}

/** The outcome of the matrix, adapted to a personal access token; null if the matrix does not have the target. */
function outcomeByToken(name: ProcedureName, object: ObjectName, caller: CallerName, scope: TokenScope): string | null {
  const row = PERMISSIONS[name][object]
  if (!row) return null
  const { ignoresToken, sessionOnly, access, method } = routeOf(name)
  if (ignoresToken || (access === 'admin' && row[caller] === 'adminsOnly')) return row[caller]
  if (sessionOnly) return 'sessionRequired'
  if (scope === 'read' && access !== 'visitor' && method !== 'GET') return 'tokenScopeMissing'
  // A token for administration replaces the password.
  return row[caller] === 'passwordRequired' ? row.admin : row[caller]
}

describe('permissions of personal access tokens', () => {
  it.each(Object.keys(PERMISSIONS) as ProcedureName[])('%s', async (name) => {
    const actual: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const object of OBJECTS)
      for (const [role, scope] of CASES) {
        const outcome = outcomeByToken(name, object, role, scope)
        if (outcome === null) continue
        const testCase = permissionCase(fixture, role, object)
        const caller = { ...testCase.caller, token: await insertToken(testCase.caller.id, scope) }
        const cell = `${role}, ${scope}, ${object}`
        actual[cell] = outcomeOf(await callProcedure(restTransport(fixture.server), name, { ...testCase, caller }))
        expected[cell] = outcome
        await fixture.database.restore(await fixture.database.changedTables())
      }
    expect(actual).toEqual(expected)
  })
})
