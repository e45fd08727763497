import { afterAll, describe, expect, it } from 'vitest'
import { createTeamCaller, LINKS, openFixture } from '../../test/fixture.ts'
import type { Deps } from '../context.ts'

const fixture = await openFixture()
afterAll(() => fixture.close())

describe('getPublicSettings', () => {
  it('returns the team creation setting and the database time to visitors', async () => {
    const { settings } = (await fixture.as(null).publicSettings()).data
    expect(settings).toEqual({
      appName: 'Community',
      teamCreationEnabled: true,
      externalSignIn: false,
      serverTime: expect.any(String),
      links: LINKS,
    })
    const [clock] = await fixture.sql<{ now: Date }[]>`select now()`
    const difference = Math.abs(Date.parse(settings.serverTime) - +new Date(clock?.now ?? 0))
    expect(difference).toBeLessThan(5000)
    expect(new Date(settings.serverTime).toISOString()).toBe(settings.serverTime)
  })

  it('follows the administrator’s setting', async () => {
    await fixture
      .as(await fixture.createAdmin())
      .setTeamCreation({ enabled: false, password: 'checked before the use case' })
    expect((await fixture.as(null).publicSettings()).data.settings.teamCreationEnabled).toBe(false)
  })

  it('offers external sign-in when a provider is configured', async () => {
    const deps = {
      db: fixture.db,
      identityProvider: {},
      config: { appName: 'Community', links: LINKS },
    } as unknown as Deps
    expect((await createTeamCaller(fixture.db, null, deps).publicSettings()).data.settings.externalSignIn).toBe(true)
  })
})
