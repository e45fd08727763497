import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Requests in flight on one connection, at most: browsers and load balancers do not pipeline. */
const PIPELINED_MAX = 8

/**
 * Disconnects a client that has more requests in flight, after calling `onExcess`. Not a hook, because Node keeps parsing whatever arrives
 * until the connection is closed, and closes one with many requests in quadratic time.
 */
export function limitPipelining(listener: RequestListener, onExcess: (socket: Socket) => void): RequestListener {
  const inFlight = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    // Node emits the other requests of the same packet after the connection was destroyed.
    if (socket.destroyed) return
    const count = inFlight.get(socket) ?? 0
    if (count === PIPELINED_MAX) {
      onExcess(socket)
      socket.destroy()
      return
    }
    inFlight.set(socket, count + 1)
    response.once('close', () => inFlight.set(socket, (inFlight.get(socket) ?? 1) - 1))
    listener(request, response)
  }
}
