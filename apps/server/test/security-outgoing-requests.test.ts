import { createServer } from 'node:net'
import { listenLocally } from '@community/testing'
import { afterAll, expect, it } from 'vitest'
import { restTransport, trpcTransport } from './permissions-transports.ts'
import { openPermissionFixture } from './permissions-fixture.ts'
import { isWrite, nameOf, callWithValue, TEXT_FIELDS } from './security-fields.ts'

const fixture = await openPermissionFixture()
afterAll(() => fixture.close())

/** Runs `work` with the URL of a local listener, and returns how many connections the listener got. */
async function countConnections(work: (url: string) => Promise<void>): Promise<number> {
  let count = 0
  const listener = createServer((socket) => {
    count += 1
    socket.destroy()
  })
  await work(`http://127.0.0.1:${await listenLocally(listener)}/`)
  listener.close()
  return count
}

it.each([
  ['REST', restTransport],
  ['tRPC', trpcTransport],
] as const)('the server requests no URL from any field of any procedure, over %s', async (_name, transportOf) => {
  let acceptedCount = 0
  const connectionCount = await countConnections(async (url) => {
    for (const field of TEXT_FIELDS) {
      const { status } = await callWithValue(fixture, transportOf(fixture.server), field, url)
      expect([nameOf(field), status < 500]).toEqual([nameOf(field), true])
      if (status >= 300) continue
      acceptedCount += 1
      if (isWrite(field)) await fixture.database.restore(await fixture.database.changedTables())
    }
  })
  expect(connectionCount).toBe(0)
  // Many inputs were accepted, so their procedures ran.
  expect(acceptedCount).toBeGreaterThan(40)
})

it('the server requests no URL from a header', async () => {
  const connectionCount = await countConnections(async (url) => {
    const headers = { referer: url, origin: url, 'x-forwarded-host': url, 'user-agent': url, from: url }
    for (const path of ['/api/teams', '/', '/auth/google', '/api/health'])
      await fixture.server.app.inject({ url: path, headers: { ...headers, host: new URL(url).host } })
  })
  expect(connectionCount).toBe(0)
})
