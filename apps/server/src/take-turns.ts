import { faults } from '@community/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'

export interface TurnsOptions {
  /**
   * Calls under way at once: few enough that each of their statements finds a connection in time. Of thousands at once each would
   * wait too long at some statement, and none would end.
   */
  atOnce?: number
  /** Milliseconds that a call may wait for its turn. */
  patience?: number
}

export interface Turns {
  /** Resolves with what ends the turn, or throws a refusal for now. */
  take(): Promise<() => void>
}

/** A line of calls before a bounded number of turns. */
export function createTurns({ atOnce = 256, patience = 2000 }: TurnsOptions = {}): Turns {
  const waiting = new Set<() => void>()
  let running = 0

  const leave = () => {
    const [next] = waiting
    // The turn passes on without being free in between.
    if (next) next()
    else running--
  }
  const onlyOnce = () => {
    let isOver = false
    return () => {
      if (!isOver) leave()
      isOver = true
    }
  }
  const untilNext = () =>
    new Promise<void>((resolve, reject) => {
      const go = () => {
        clearTimeout(timer)
        waiting.delete(go)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(go)
        reject(new Refusal(faults.unavailable, { cooldown: 2 }))
      }, patience)
      waiting.add(go)
    })
  return {
    async take() {
      if (running < atOnce) running++
      else await untilNext()
      return onlyOnce()
    },
  }
}

/** Calls that hash a password, by their address at either door: `/auth/login`, `/trpc/auth.login`. */
const HASHING = /auth[./](?:login|register|reset-?password|change-?password)\b/i

/**
 * Has calls take turns, from their last byte to the end of their answer. Those that hash a password have a line of their own: they
 * are slow, and of thousands that sign in at once the first must get through all their statements, while others go on.
 */
export function takeTurns(): (app: FastifyInstance) => void {
  const [ordinary, hashing] = [createTurns(), createTurns({ atOnce: 32, patience: 4000 })]
  return (app) => takeTurnsIn(app, ({ url }) => (HASHING.test(url) ? hashing : ordinary))
}

/** The same in one scope, with lines of the caller's. */
export function takeTurnsIn(app: FastifyInstance, turnsOf: (request: FastifyRequest) => Turns): void {
  app.addHook('preHandler', async (request, reply) => {
    const end = await turnsOf(request).take()
    // Whoever asked may have gone meanwhile.
    if (reply.raw.closed) end()
    else reply.raw.once('close', end)
  })
}
