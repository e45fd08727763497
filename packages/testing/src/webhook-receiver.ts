import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenLocally } from './listening.ts'

interface Received {
  headers: IncomingHttpHeaders
  body: string
  /** The parsed body. */
  message: { type: string; timestamp: string; data: Record<string, unknown> }
}

/** An HTTP server that records the messages it receives and responds with `status`. */
export async function startWebhookReceiver() {
  const received: Received[] = []
  const receiver = {
    url: '',
    received,
    status: 204,
    /** Called with each message before the response. */
    beforeResponse: async (): Promise<void> => {},
    types: () => received.map(({ message }) => message.type),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    received.push({ headers: request.headers, body, message: JSON.parse(body) })
    await receiver.beforeResponse()
    const protocol = receiver.status === 101 && { connection: 'Upgrade', upgrade: 'other' }
    response.writeHead(receiver.status, { location: `${receiver.url}redirected`, ...protocol }).end('ignored')
  }
  const server = createServer((request, response) => void receive(request, response))
  receiver.url = `http://127.0.0.1:${await listenLocally(server)}/`
  return receiver
}
