import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsOf, LINKS, openStage, type Stage } from '../../test/stage.ts'
import type { Deps } from '../context.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

describe('getPublicSettings', () => {
  it('tells visitors whether team creation is on and what time the database has', async () => {
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

  it('follows what an administrator sets', async () => {
    await stage.as(await stage.admin()).setTeamCreation({ enabled: false, password: 'checked by the gate' })
    expect((await stage.as(null).publicSettings()).data.settings.teamCreationEnabled).toBe(false)
  })

  it('offers external sign-in where a provider is set up', async () => {
    const deps = {
      db: stage.db,
      identityProvider: {},
      config: { appName: 'Community', links: LINKS },
    } as unknown as Deps
    expect((await callsOf(stage.db, null, deps).publicSettings()).data.settings.externalSignIn).toBe(true)
  })
})
