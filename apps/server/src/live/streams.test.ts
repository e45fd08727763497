import type { ServerResponse } from 'node:http'
import { limits } from '@community/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { openStream } from '@community/testing/event-stream'
import { TRUST_FORWARDED_FOR } from '../../test/accounts.ts'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { startMetrics } from '../observability/metrics.ts'
import { buildApp } from '../app.ts'
import { createStream } from './stream.ts'

let running: TestServer | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})
async function listen() {
  const opened = await openTestServer(TRUST_FORWARDED_FOR)
  running = opened
  return { server: opened, origin: await opened.app.listen({ port: 0, host: '127.0.0.1' }) }
}

it('rejects a user’s eleventh stream with 429 and Retry-After, until one is closed', async () => {
  const { server, origin } = await listen()
  const user = await server.createMember()
  const streams = []
  for (let count = 0; count < limits.STREAMS_MAX.person; count++) streams.push(await openStream(origin, { user }))
  expect(streams.every(({ status }) => status === 200)).toBe(true)
  const beyond = await openStream(origin, { user })
  expect(beyond.status).toBe(429)
  expect(beyond.headers['retry-after']).toBe('30')
  // Other people are not affected.
  const other = await openStream(origin, { user: await server.createMember() })
  expect(other.status).toBe(200)
  streams[0]?.close()
  await expect
    .poll(async () => {
      const again = await openStream(origin, { user })
      streams.push(again)
      return again.status
    })
    .toBe(200)
  for (const stream of [...streams, other]) stream.close()
})

describe('the limits of an address’s visitors and of a process', () => {
  const max: Record<keyof typeof limits.STREAMS_MAX, number> = limits.STREAMS_MAX
  const own = { ...max }
  afterEach(() => void Object.assign(max, own))

  it('reject a visitor beyond the address’s limit, but not a signed-in user there', async () => {
    max.address = 3
    const { server, origin } = await listen()
    const streams = [await openStream(origin), await openStream(origin), await openStream(origin)]
    const beyond = await openStream(origin)
    expect([beyond.status, beyond.failure?.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    const member = await openStream(origin, { user: await server.createMember() })
    expect(member.status).toBe(200)
    for (const stream of [...streams, member]) stream.close()
  })

  it('reject a visitor beyond the limit of an IPv6 /48, but not at other sites nor a signed-in user', async () => {
    max.address = 2
    max.site = 3
    const { server, origin } = await listen()
    const open = (address: string, user?: TestUser) => openStream(origin, { address, user })
    const streams = [await open('2001:db8:1:1::1'), await open('2001:db8:1:1::2'), await open('2001:db8:1:2::1')]
    const beyond = await open('2001:db8:1:3::1')
    expect([beyond.status, beyond.failure?.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    streams.push(await open('2001:db8:2:1::1'), await open('2001:db8:1:3::1', await server.createMember()))
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    for (const stream of streams) stream.close()
  })

  it('leave a part of the total to signed-in users', async () => {
    max.visitors = 2
    max.total = 3
    const { server, origin } = await listen()
    const streams = [await openStream(origin), await openStream(origin)]
    const beyond = await openStream(origin)
    expect([beyond.status, beyond.failure?.code]).toEqual([503, 'UNAVAILABLE'])
    streams.push(await openStream(origin, { user: await server.createMember() }))
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const stream of streams) stream.close()
  })

  it('respond with 503 beyond the total, without counting the rejected stream for its user', async () => {
    max.total = 2
    max.person = 1
    const { server, origin } = await listen()
    const user = await server.createMember()
    const streams = [await openStream(origin), await openStream(origin)]
    const beyond = await openStream(origin, { user })
    expect([beyond.status, beyond.failure?.code]).toEqual([503, 'UNAVAILABLE'])
    expect(beyond.headers['retry-after']).toBeDefined()
    for (const stream of streams) stream.close()
    // Rejected if the other stream still counts: the user's limit is one.
    await expect
      .poll(async () => {
        const again = await openStream(origin, { user })
        again.close()
        return again.status
      })
      .toBe(200)
  })
})

it('sends `end` when the server stops, and does not wait for clients to disconnect', async () => {
  const { server, origin } = await listen()
  const stream = await openStream(origin)
  await expect.poll(() => stream.of('ready').length, { timeout: 5000 }).toBe(1)
  await server.app.close()
  await expect.poll(stream.isEnded).toBe(true)
  expect(stream.of('end')).toHaveLength(1)
})

it('disconnects a client that does not read, instead of buffering its events', () => {
  const sent: string[] = []
  const response = {
    destroyed: false,
    writableEnded: false,
    writableLength: 0,
    write(text: string) {
      sent.push(text)
      this.writableLength += text.length
    },
    destroy() {
      this.destroyed = true
    },
  }
  const stream = createStream({
    response: response as unknown as ServerResponse,
    caller: null,
    topics: new Set(),
    resumeFrom: undefined,
    onEvent: () => {},
  })
  for (let count = 0; count < 10_000; count++) stream.send('teams', {})
  expect(response.destroyed).toBe(true)
  expect(sent.join('').length).toBeLessThan(70_000)
})

it('counts open streams and the events sent', async () => {
  const { server } = await listen()
  const metrics = await startMetrics(server.deps, 0)
  const app = await buildApp(server.deps, { onResponse: metrics.onResponse, onLive: metrics.onLive })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const text = async () => (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
  const stream = await openStream(origin, { query: '?topics=teams' })
  await expect.poll(() => stream.of('ready').length, { timeout: 5000 }).toBe(1)
  expect(await text()).toContain('live_streams 1\n')
  await server.createTeam(await server.createMember())
  await expect.poll(() => stream.of('teams').length, { timeout: 5000 }).toBeGreaterThan(0)
  expect(await text()).toContain(`live_events_total{topic="teams"} ${stream.of('teams').length}\n`)
  stream.close()
  await expect.poll(text).toContain('live_streams 0\n')
  expect(await text()).not.toContain('route="/api/events"')
  await app.close()
  await metrics.close()
})
