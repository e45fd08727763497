import { createServer } from 'node:net'
import { listenLocally } from '@community/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { restTransport, trpcTransport } from './permissions-transports.ts'
import { openPermissionFixture, type PermissionFixture } from './permissions-fixture.ts'
import { isWrite, nameOf, callWithValue, TEXT_FIELDS } from './security-fields.ts'

let fixture: PermissionFixture
beforeAll(async () => {
  fixture = await openPermissionFixture()
})
afterAll(() => fixture.close())

it('the server requests no URL from any field of any procedure', async () => {
  let connectionCount = 0
  const listener = createServer((socket) => {
    connectionCount += 1
    socket.destroy()
  })
  const listenerUrl = `http://127.0.0.1:${await listenLocally(listener)}/`
  const acceptedCounts: Record<string, number> = {}
  for (const [name, transport] of Object.entries({
    REST: restTransport(fixture.server),
    tRPC: trpcTransport(fixture.server),
  }))
    for (const field of TEXT_FIELDS) {
      const { status } = await callWithValue(fixture, transport, field, listenerUrl)
      expect([nameOf(field), status < 500]).toEqual([nameOf(field), true])
      if (status >= 300) continue
      acceptedCounts[name] = (acceptedCounts[name] ?? 0) + 1
      if (isWrite(field)) await fixture.database.restore(await fixture.database.changedTables())
    }
  // URLs in headers are not requested either.
  const headers = {
    referer: listenerUrl,
    origin: listenerUrl,
    'x-forwarded-host': listenerUrl,
    'user-agent': listenerUrl,
    from: listenerUrl,
  }
  for (const url of ['/api/teams', '/', '/auth/google', '/api/health'])
    await fixture.server.app.inject({ url, headers: { ...headers, host: new URL(listenerUrl).host } })
  listener.close()
  expect(connectionCount).toBe(0)
  // Many inputs were accepted, so their procedures ran.
  for (const count of Object.values(acceptedCounts)) expect(count).toBeGreaterThan(40)
  expect(Object.keys(acceptedCounts)).toEqual(['REST', 'tRPC'])
})
