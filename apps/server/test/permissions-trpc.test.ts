import { afterAll, describe, expect, it } from 'vitest'
import { PERMISSIONS } from './permissions.ts'
import { callsOver, trpcTransport } from './permissions-transports.ts'
import { ROUTES } from './permissions-routes.ts'
import { checkProcedure } from './permissions-check.ts'
import { openPermissionFixture } from './permissions-fixture.ts'

const fixture = await openPermissionFixture()
afterAll(() => fixture.close())

describe('permissions over tRPC', () => {
  it('the matrix lists every procedure of the contract', () =>
    expect(Object.keys(PERMISSIONS).toSorted()).toEqual([...ROUTES.keys()].toSorted()))
  it.each(callsOver('tRPC'))('%s', (name) => checkProcedure(fixture, trpcTransport(fixture.server), name))
})
