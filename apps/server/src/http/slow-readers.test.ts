import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenLocally } from '@community/testing'
import { expect, it, type TestContext } from 'vitest'
import { createLog } from '../observability/log.ts'
import type { MinimumRate } from './minimum-rate.ts'
import { disconnectSlowReaders } from './slow-readers.ts'

/** More than the kernel buffers for a connection. */
const BYTES = 48 * 2 ** 20
const responses: Record<string, () => Buffer | Readable> = {
  'a stream': () => Readable.from(Array.from({ length: BYTES / 65536 }, () => Buffer.alloc(65536))),
  'one buffer': () => Buffer.alloc(BYTES),
}

/** Reads `bytes` every 50 ms; resolves with the server's socket and how much was read. Concurrent tests need their own context. */
async function read(
  { onTestFinished }: TestContext,
  createBody: () => Buffer | Readable,
  bytes: number,
  options: MinimumRate,
  serverTimeoutMs = 0,
) {
  const server = http.createServer((_request, response) => {
    const body = createBody()
    if (body instanceof Readable) body.pipe(response)
    else response.end(body)
  })
  server.setTimeout(serverTimeoutMs)
  disconnectSlowReaders(server, createLog('silent'), options)
  const socket = net.connect(await listenLocally(server), '127.0.0.1').pause()
  socket.on('error', () => {})
  onTestFinished(async () => {
    socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const connection = once(server, 'connection')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const timer = setInterval(() => void socket.read(Math.min(bytes, socket.readableLength)), 50)
  socket.once('close', () => clearInterval(timer))
  const [serverSocket] = (await connection) as [net.Socket]
  return { connection: serverSocket, bytesRead: () => socket.bytesRead }
}

const LIMITS: MinimumRate = { bytesPerSecond: 100_000, windowMs: 1500, checkIntervalMs: 100 }

it.concurrent.for(Object.entries(responses))(
  'disconnects a client that reads nothing of %s, but not at the timeout of the server',
  async ([, createBody], context) => {
    const startedAt = performance.now()
    const { connection } = await read(context, createBody, 0, LIMITS, 100)
    await once(connection, 'close')
    expect(performance.now() - startedAt).toBeGreaterThan(1500)
  },
)

it.concurrent.for(Object.entries(responses))(
  'disconnects a client that reads %s too slowly',
  async ([, createBody], context) => {
    const { connection } = await read(context, createBody, 500, LIMITS)
    await once(connection, 'close')
  },
)

it.concurrent.for(Object.entries(responses))(
  'keeps a client that reads %s fast enough',
  async ([, createBody], context) => {
    const { connection, bytesRead } = await read(context, createBody, 100_000, LIMITS)
    // Two windows at 2 MB/s, after what the kernels buffer. Not the global `expect`, which knows one of several concurrent tests.
    await context.expect.poll(bytesRead, { timeout: 20_000 }).toBeGreaterThan(12_000_000)
    expect(connection.destroyed).toBe(false)
  },
)

it.concurrent('keeps a connection that waits for its response', async (context) => {
  const limits = { ...LIMITS, windowMs: 100, checkIntervalMs: 10 }
  const { connection } = await read(context, () => new Readable({ read: () => {} }), 1000, limits)
  // That nothing happens for several windows is the behaviour under test.
  await sleep(500)
  expect(connection.destroyed).toBe(false)
})

it.concurrent('disconnects a client that waits for its response until the timeout of the server', async (context) => {
  const { connection } = await read(context, () => new Readable({ read: () => {} }), 1000, LIMITS, 100)
  await once(connection, 'close')
})
