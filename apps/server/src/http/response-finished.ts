import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

interface Connection {
  /** One set per socket, so that pipelined requests do not add a `close` listener each. */
  listeners: Set<() => void>
  /** Requests in flight. */
  requests: number
}
const connections = new WeakMap<Socket, Connection>()

function connectionOf(socket: Socket): Connection {
  const existing = connections.get(socket)
  if (existing) return existing
  const connection: Connection = { listeners: new Set(), requests: 0 }
  connections.set(socket, connection)
  socket.once('close', () => {
    for (const listener of connection.listeners) listener()
  })
  return connection
}

/** Calls `listener` when the connection closes. Returns a function that takes it off. */
export function onConnectionClosed(socket: Socket, listener: () => void): () => void {
  const { listeners } = connectionOf(socket)
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const isResponseFinished = ({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): boolean =>
  raw.closed || socket.destroyed

/**
 * Calls `listener` once, when the response is sent or its connection closes. When a connection closes, Node emits `close` on the current
 * response only, not on those of pipelined requests behind it.
 */
export function onResponseFinished(request: FastifyRequest, reply: FastifyReply, listener: () => void): void {
  if (isResponseFinished(request, reply)) return listener()
  const { listeners } = connectionOf(request.raw.socket)
  const callOnce = () => {
    if (listeners.delete(callOnce)) listener()
  }
  listeners.add(callOnce)
  reply.raw.once('close', callOnce)
}

/** Requests in flight on one connection, at most: browsers and load balancers do not pipeline. */
const PIPELINED_MAX = 16

/** Counts a request as in flight on its connection until its response is finished. Returns false when there are too many. */
export function countPipelined(request: FastifyRequest, reply: FastifyReply): boolean {
  const connection = connectionOf(request.raw.socket)
  if (connection.requests >= PIPELINED_MAX) return false
  connection.requests++
  onResponseFinished(request, reply, () => void connection.requests--)
  return true
}
