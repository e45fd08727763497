import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { openWorld, type World } from '../../test/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => world.close())

/** Shifts only this machine's clock, by `minutes`. */
const setClockOff = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })

it('an access token expires by the database’s clock, even if the server’s clock is wrong', async () => {
  const member = await world.member()
  const asked = async () => (await world.rest(member)('GET /users/profile')).status
  const expireIn = (seconds: number) =>
    world.sql`update sessions set expires_at = now() + make_interval(secs => ${seconds})`

  await expireIn(300)
  setClockOff(10)
  expect(await asked()).toBe(200)
  await expireIn(-1)
  setClockOff(-20)
  expect(await asked()).toBe(401)
})
