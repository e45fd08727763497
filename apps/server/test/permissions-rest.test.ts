import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PERMISSIONS } from './permissions.ts'
import { callsOver, restTransport } from './permissions-transports.ts'
import { ROUTES } from './permissions-routes.ts'
import { checkProcedure } from './permissions-check.ts'
import { openPermissionFixture, type PermissionFixture } from './permissions-fixture.ts'

let fixture: PermissionFixture
beforeAll(async () => {
  fixture = await openPermissionFixture()
})
afterAll(() => fixture.close())

describe('T-E1 permissions over REST', () => {
  it('T-E1 the matrix lists every procedure of the contract', () =>
    expect(Object.keys(PERMISSIONS).toSorted()).toEqual([...ROUTES.keys()].toSorted()))
  it.each(callsOver('REST'))('T-E1 %s', (name) => checkProcedure(fixture, restTransport(fixture.server), name))
})
