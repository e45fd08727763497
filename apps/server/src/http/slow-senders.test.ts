import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { it, type TestContext } from 'vitest'
import { createServer } from './create-server.ts'
import { disconnectSlowSenders } from './slow-senders.ts'

const RATE = { bytesPerSecond: 10_000, windowMs: 500, checkIntervalMs: 50 }
const BODY = JSON.stringify({ text: 'x'.repeat(50_000) })
const HEADERS = ['host: x', 'content-type: application/json', `content-length: ${BODY.length}`, 'connection: close']

/** Sends the body in pieces of `bytes` every 50 ms; resolves with the response when the server closes the connection. */
async function send({ onTestFinished }: TestContext, bytes: number) {
  const app = createServer({ trustProxy: false }, () => {})
  disconnectSlowSenders(app, RATE)
  // As the routes of the product: the response is sent later than `send` is called.
  app.addHook('onSend', async (_request, _reply, payload) => payload)
  app.post('/', async (request) => ({ received: (request.body as { text: string }).text.length }))
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = net.connect(Number(port), '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    await app.close()
  })
  socket.on('error', () => {})
  let response = ''
  socket.setEncoding('utf8').on('data', (text: string) => (response += text))
  const closed = once(socket, 'close')
  socket.write(`POST / HTTP/1.1\r\n${HEADERS.join('\r\n')}\r\n\r\n`)
  const startedAt = performance.now()
  for (let sent = 0; sent < BODY.length && !socket.destroyed; sent += bytes) {
    socket.write(BODY.slice(sent, sent + bytes))
    await sleep(50)
  }
  await closed
  return { response, seconds: (performance.now() - startedAt) / 1000 }
}

it.concurrent('responds 503 to a client that sends too slowly, and disconnects it', async (context) => {
  const { response } = await send(context, 10)
  context.expect(response).toContain('HTTP/1.1 503')
  context.expect(response).toContain('The request arrived too slowly. Please try again.')
})

it.concurrent('lets a body over a slow line take several windows', async (context) => {
  const { response, seconds } = await send(context, 1500)
  context.expect(response).toContain('{"received":50000}')
  context.expect(seconds).toBeGreaterThan(1.5)
})
