import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Requests in flight on one connection, at most: browsers and load balancers do not pipeline. */
export const PIPELINED_MAX = 8

/**
 * Destroys a connection with more than `PIPELINED_MAX` requests in flight, after calling `onExcess`. A hook would be too late: Node goes on
 * parsing requests until the socket is destroyed, and the time to destroy it grows with the square of their number.
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
