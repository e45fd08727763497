import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

const unanswered = new WeakMap<Socket, Set<() => void>>()

/** What is told of the end of a connection: one listener for all its requests, of which there may be hundreds. */
function listenersAt(socket: Socket): Set<() => void> {
  const known = unanswered.get(socket)
  if (known) return known
  const listeners = new Set<() => void>()
  unanswered.set(socket, listeners)
  socket.once('close', () => {
    for (const listener of listeners) listener()
  })
  return listeners
}

/**
 * Calls back once: when an answer is out, or its connection gone. Of that Node tells only the answer whose turn it is, none of those
 * that wait behind it because their requests were sent without waiting.
 */
export function whenOver({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply, over: () => void): void {
  if (raw.closed || socket.destroyed) return over()
  const listeners = listenersAt(socket)
  const listener = () => {
    if (listeners.delete(listener)) over()
  }
  listeners.add(listener)
  raw.once('close', listener)
}
