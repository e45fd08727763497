import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'

const server = await openTestServer()
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => server.close())

/** Shifts only this machine's clock, by `minutes`. */
const setClockOff = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })

it('an access token expires by the database’s clock, even if the server’s clock is wrong', async () => {
  const member = await server.createMember()
  const statusOf = async () => (await server.rest(member)('GET /users/profile')).status
  const expireIn = (seconds: number) => server.clock.expireIn(seconds, 'sessions')

  await expireIn(300)
  setClockOff(10)
  expect(await statusOf()).toBe(200)
  await expireIn(-1)
  setClockOff(-20)
  expect(await statusOf()).toBe(401)
})
