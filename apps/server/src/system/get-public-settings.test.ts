import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsOf, LINKS, openStage, type Stage } from '../../test/stage.ts'
import type { Deps } from '../context.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

describe('getPublicSettings', () => {
  it('returns the team creation setting and the database time to visitors', async () => {
    const { settings } = (await stage.as(null).publicSettings()).data
    expect(settings).toEqual({
      appName: 'Community',
      teamCreationEnabled: true,
      externalSignIn: false,
      serverTime: expect.any(String),
      links: LINKS,
    })
    const [clock] = await stage.sql<{ now: Date }[]>`select now()`
    const apart = Math.abs(Date.parse(settings.serverTime) - +new Date(clock?.now ?? 0))
    expect(apart).toBeLessThan(5000)
    expect(new Date(settings.serverTime).toISOString()).toBe(settings.serverTime)
  })

  it('follows the administrator’s setting', async () => {
    await stage.as(await stage.admin()).setTeamCreation({ enabled: false, password: 'checked by the gate' })
    expect((await stage.as(null).publicSettings()).data.settings.teamCreationEnabled).toBe(false)
  })

  it('offers external sign-in when a provider is configured', async () => {
    const deps = {
      db: stage.db,
      identityProvider: {},
      config: { appName: 'Community', links: LINKS },
    } as unknown as Deps
    expect((await callsOf(stage.db, null, deps).publicSettings()).data.settings.externalSignIn).toBe(true)
  })
})
