import { once } from 'node:events'
import net from 'node:net'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { it, type TestContext } from 'vitest'
import { createServer } from './create-server.ts'
import { disconnectSlowSenders } from './slow-senders.ts'

const WARN = pino.levels.values['warn'] ?? 0
const RATE = { bytesPerSecond: 10_000, windowMs: 500, checkIntervalMs: 50 }
const BODY = JSON.stringify({ text: 'x'.repeat(50_000) })
const HEADERS = ['host: x', `content-length: ${BODY.length}`, 'connection: close']

/** Starts a server, and connects to it. `logged` are the events and warnings of its log; `read` resolves once nothing reads the body of `/stream`. */
async function connect({ onTestFinished }: TestContext) {
  const logged: string[] = []
  const write = (line: string) => {
    const { event, level, msg } = JSON.parse(line) as { event?: string; level: number; msg: string }
    if (event || level >= WARN) logged.push(event ?? msg)
  }
  const log = pino({ level: 'info' }, { write })
  const app = createServer({ trustProxy: false }, () => {}, log)
  disconnectSlowSenders(app, RATE)
  // As the routes of the product: the response is sent later than `send` is called.
  app.addHook('onSend', async (_request, _reply, payload) => payload)
  let endRead = () => {}
  const read = new Promise<void>((resolve) => (endRead = resolve))
  app.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body))
  app.post('/stream', async (request, reply) => {
    await finished((request.body as Readable).resume()).catch(() => {})
    endRead()
    return reply
  })
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send() }, async () => '')
  app.post('/', async (request) => ({ received: (request.body as { text: string }).text.length }))
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = net.connect(Number(port), '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    await app.close()
  })
  socket.on('error', () => {})
  return { socket, logged, read }
}

/** Sends the body in pieces of `bytes` every 50 ms; resolves with the response when the server closes the connection. */
async function send(socket: net.Socket, bytes: number, path = '/', type = 'application/json') {
  let response = ''
  socket.setEncoding('utf8').on('data', (text: string) => (response += text))
  const closed = once(socket, 'close')
  socket.write(`POST ${path} HTTP/1.1\r\n${[...HEADERS, `content-type: ${type}`].join('\r\n')}\r\n\r\n`)
  const startedAt = performance.now()
  for (let sent = 0; sent < BODY.length && !socket.destroyed; sent += bytes) {
    socket.write(BODY.slice(sent, sent + bytes))
    await sleep(50)
  }
  await closed
  return { response, seconds: (performance.now() - startedAt) / 1000 }
}

it.concurrent('responds 503 to a client that sends too slowly, and disconnects it', async (context) => {
  const { socket, logged } = await connect(context)
  const { response } = await send(socket, 10)
  context.expect(response).toContain('HTTP/1.1 503')
  context.expect(response).toContain('The request arrived too slowly. Please try again.')
  await sleep(10 * RATE.checkIntervalMs)
  context.expect(logged).toEqual(['request.sent_too_slowly'])
})

it.concurrent('lets a body over a slow line take several windows', async (context) => {
  const { socket } = await connect(context)
  const { response, seconds } = await send(socket, 1500)
  context.expect(response).toContain('{"received":50000}')
  context.expect(seconds).toBeGreaterThan(1.5)
})

it.concurrent('ends what reads the body, and logs the client once', async (context) => {
  const { socket, logged, read } = await connect(context)
  const { response } = await send(socket, 10, '/stream', 'application/octet-stream')
  context.expect(response).toContain('HTTP/1.1 503')
  await read
  await sleep(10 * RATE.checkIntervalMs)
  context.expect(logged).toEqual(['request.sent_too_slowly'])
})

it.concurrent('forgets a client that is refused and sends no rest', async (context) => {
  const { socket, logged } = await connect(context)
  socket.write(`POST /refused HTTP/1.1\r\n${HEADERS.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  socket.destroy()
  await sleep(RATE.windowMs + 10 * RATE.checkIntervalMs)
  context.expect(logged).toEqual([])
})

// Not beside the others, whose pace it would change.
it('disconnects a client that goes on sending a refused body, once it exceeds any form', async (context) => {
  const { socket, logged } = await connect(context)
  socket.write('POST /refused HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000000\r\n\r\n')
  const megabyte = Buffer.alloc(2 ** 20)
  // Not `once`, which rejects when the connection is reset.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  let sent = 0
  for (; sent < 2000 && !socket.destroyed; sent++)
    if (!socket.write(megabyte)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
  context.expect(sent).toBeGreaterThan(50)
  context.expect(sent).toBeLessThan(2000)
  context.expect(logged).toEqual(['request.discarded'])
})
