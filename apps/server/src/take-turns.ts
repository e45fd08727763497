import { faults } from '@community/contract'
import type { FastifyInstance } from 'fastify'
import { Refusal } from './errors.ts'

export interface TurnsOptions {
  /**
   * Calls under way at once. More than may wait for a password's hash, so that others go on; few enough that each of their
   * statements finds a connection in time: of thousands at once each would wait too long at some statement, and none would end.
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

/** Has the calls of a scope take turns, from their last byte to the end of their answer. */
export function takeTurns(app: FastifyInstance, turns: Turns): void {
  app.addHook('preHandler', async (_request, reply) => {
    const end = await turns.take()
    // Whoever asked may have gone meanwhile.
    if (reply.raw.closed) end()
    else reply.raw.once('close', end)
  })
}
