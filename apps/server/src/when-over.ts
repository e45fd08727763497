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

export const isOver = ({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): boolean =>
  raw.closed || socket.destroyed

/**
 * Calls back once: when an answer is out, or its connection gone. Of that Node tells only the answer whose turn it is, none of those
 * that wait behind it because their requests were sent without waiting.
 */
export function whenOver(request: FastifyRequest, reply: FastifyReply, over: () => void): void {
  if (isOver(request, reply)) return over()
  const listeners = listenersAt(request.raw.socket)
  const listener = () => {
    if (listeners.delete(listener)) over()
  }
  listeners.add(listener)
  reply.raw.once('close', listener)
}
