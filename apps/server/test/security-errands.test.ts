import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { restDoor, trpcDoor } from './permissions-transports.ts'
import { openSituation, type Situation } from './permissions-situation.ts'
import { isWrite, nameOf, sendAt, TEXT_FIELDS } from './security-fields.ts'

let s: Situation
beforeAll(async () => {
  s = await openSituation()
})
afterAll(() => s.close())

it('T-G7 the server requests no URL from any field of any procedure', async () => {
  let visits = 0
  const listener = createServer((socket) => {
    visits += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const there = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
  const taken: Record<string, number> = {}
  for (const [name, door] of Object.entries({ REST: restDoor(s.world), tRPC: trpcDoor(s.world) }))
    for (const field of TEXT_FIELDS) {
      const { status } = await sendAt(s, door, field, there)
      expect([nameOf(field), status < 500]).toEqual([nameOf(field), true])
      if (status >= 300) continue
      taken[name] = (taken[name] ?? 0) + 1
      if (isWrite(field)) await s.database.restore(await s.database.changed())
    }
  // Headers that name a place are no more of an errand.
  const headers = { referer: there, origin: there, 'x-forwarded-host': there, 'user-agent': there, from: there }
  for (const url of ['/api/teams', '/', '/auth/google', '/api/health'])
    await s.world.app.inject({ url, headers: { ...headers, host: new URL(there).host } })
  listener.close()
  expect(visits).toBe(0)
  // Many were taken: their calls did all they do.
  for (const count of Object.values(taken)) expect(count).toBeGreaterThan(40)
  expect(Object.keys(taken)).toEqual(['REST', 'tRPC'])
})
