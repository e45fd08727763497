import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

interface Connection {
  /** Told of its end: of hundreds of requests each would else listen for itself. */
  listeners: Set<() => void>
  /** How many are under way. */
  requests: number
}
const connections = new WeakMap<Socket, Connection>()

function connectionOf(socket: Socket): Connection {
  const known = connections.get(socket)
  if (known) return known
  const connection: Connection = { listeners: new Set(), requests: 0 }
  connections.set(socket, connection)
  socket.once('close', () => {
    for (const listener of connection.listeners) listener()
  })
  return connection
}

export const isResponseFinished = ({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): boolean =>
  raw.closed || socket.destroyed

/**
 * Calls back once: when an answer is out, or its connection gone. Of that Node tells only the answer whose turn it is, none of those
 * that wait behind it because their requests were sent without waiting.
 */
export function onResponseFinished(request: FastifyRequest, reply: FastifyReply, over: () => void): void {
  if (isResponseFinished(request, reply)) return over()
  const { listeners } = connectionOf(request.raw.socket)
  const listener = () => {
    if (listeners.delete(listener)) over()
  }
  listeners.add(listener)
  reply.raw.once('close', listener)
}

/** Requests of one connection that may be under way at once: browsers and balancers send one after the other. */
const PIPELINED_MAX = 16

/** Has its connection so many under way that this one must not begin? Else it is counted, until it is over. */
export function hasTooManyPipelined(request: FastifyRequest, reply: FastifyReply): boolean {
  const connection = connectionOf(request.raw.socket)
  if (connection.requests >= PIPELINED_MAX) return true
  connection.requests++
  onResponseFinished(request, reply, () => void connection.requests--)
  return false
}
