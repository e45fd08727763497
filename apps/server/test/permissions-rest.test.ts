import { afterAll, beforeAll, describe, it } from 'vitest'
import { callsOver, restTransport } from './permissions-transports.ts'
import { checkProcedure } from './permissions-check.ts'
import { openPermissionFixture, type PermissionFixture } from './permissions-fixture.ts'

let fixture: PermissionFixture
beforeAll(async () => {
  fixture = await openPermissionFixture()
})
afterAll(() => fixture.close())

describe('permissions over REST', () => {
  it.each(callsOver('REST'))('%s', (name) => checkProcedure(fixture, restTransport(fixture.server), name))
})
