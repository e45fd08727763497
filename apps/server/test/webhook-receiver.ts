import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Received {
  headers: IncomingHttpHeaders
  body: string
  /** The parsed body. */
  message: { type: string; timestamp: string; data: Record<string, unknown> }
}

/** An HTTP server that keeps what it is sent and responds with `status`. */
export async function startWebhookReceiver() {
  const received: Received[] = []
  const receiver = {
    url: '',
    received,
    status: 204,
    types: () => received.map(({ message }) => message.type),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    received.push({ headers: request.headers, body, message: JSON.parse(body) })
    const protocol = receiver.status === 101 && { connection: 'Upgrade', upgrade: 'other' }
    response.writeHead(receiver.status, { location: `${receiver.url}redirected`, ...protocol }).end('ignored')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return receiver
}
