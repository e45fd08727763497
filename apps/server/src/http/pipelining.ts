import type { IncomingMessage, RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Requests in flight on one connection, at most: browsers and load balancers do not pipeline. */
const PIPELINED_MAX = 8

interface Connection {
  inFlight: number
  /** Whether it closes after the responses to the requests so far. */
  isClosing: boolean
}
const connections = new WeakMap<Socket, Connection>()
const excessRequests = new WeakSet<IncomingMessage>()

/** Whether a request exceeds the limit and is to be rejected. */
export const exceedsPipelining = (request: IncomingMessage): boolean => excessRequests.has(request)

/**
 * Passes on the requests of a connection up to the first that exceeds the limit, and ignores those behind it. Not a hook: Node emits all
 * requests of a packet before the first hook ends, and hundreds of requests that wait for their rejection take 10 kB each.
 */
export const limitPipelining =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const { socket } = request
    const connection = connections.get(socket) ?? { inFlight: 0, isClosing: false }
    connections.set(socket, connection)
    if (connection.isClosing) return
    if (connection.inFlight === PIPELINED_MAX) {
      connection.isClosing = true
      excessRequests.add(request)
      response.setHeader('connection', 'close')
    }
    connection.inFlight++
    response.once('close', () => connection.inFlight--)
    listener(request, response)
  }
