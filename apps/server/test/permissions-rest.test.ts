import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProcedureName, PERMISSIONS } from './permissions.ts'
import { restTransport } from './permissions-transports.ts'
import { ROUTES } from './permissions-routes.ts'
import { checkProcedure } from './permissions-check.ts'
import { openPermissionFixture, type PermissionFixture } from './permissions-fixture.ts'

let fixture: PermissionFixture
beforeAll(async () => {
  fixture = await openPermissionFixture()
})
afterAll(() => fixture.close())

// The first test justifies the cast.
const calls = Object.keys(PERMISSIONS) as ProcedureName[]

describe('T-E1 permissions over REST', () => {
  it('T-E1 the matrix lists every procedure of the contract', () =>
    expect(calls.toSorted()).toEqual([...ROUTES.keys()].toSorted()))
  it.each(calls)('T-E1 %s', (name) => checkProcedure(fixture, restTransport(fixture.server), name))
})
