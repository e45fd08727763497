import { afterAll, describe, it } from 'vitest'
import { callsOver, restTransport } from './permissions-transports.ts'
import { checkProcedure } from './permissions-check.ts'
import { openPermissionFixture } from './permissions-fixture.ts'

const fixture = await openPermissionFixture()
afterAll(() => fixture.close())

describe('permissions over REST', () => {
  it.each(callsOver('REST'))('%s', (name) => checkProcedure(fixture, restTransport(fixture.server), name))
})
