import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

const closeListeners = new WeakMap<Socket, Set<() => void>>()

/** One set per socket, so that pipelined requests do not add a `close` listener each. */
function closeListenersOf(socket: Socket): Set<() => void> {
  const existing = closeListeners.get(socket)
  if (existing) return existing
  const listeners = new Set<() => void>()
  closeListeners.set(socket, listeners)
  socket.once('close', () => {
    for (const listener of listeners) listener()
  })
  return listeners
}

/** Calls `listener` when the connection closes. Returns a function that takes it off. */
export function onConnectionClosed(socket: Socket, listener: () => void): () => void {
  const listeners = closeListenersOf(socket)
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
  const listeners = closeListenersOf(request.raw.socket)
  const callOnce = () => {
    if (listeners.delete(callOnce)) listener()
  }
  listeners.add(callOnce)
  reply.raw.once('close', callOnce)
}
