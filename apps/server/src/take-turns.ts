import { type Contract, faults, routesOf } from '@community/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ANSWER_WITHIN } from './answer-in-time.ts'
import { Refusal } from './errors.ts'
import { fastifyPath } from './rest.ts'
import { isOver, whenOver } from './when-over.ts'

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
        reject(new Refusal(faults.unavailable))
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

/** Turns of which each (a person, an address) has only some at once: whoever holds theirs for long leaves others theirs. */
export interface Shares {
  take(of: string): Promise<() => void>
}

export function createShares({ each, ...options }: TurnsOptions & { each: number }): Shares {
  const all = createTurns(options)
  const shares = new Map<string, { turns: Turns; inside: number }>()
  return {
    async take(of) {
      const share = shares.get(of) ?? { turns: createTurns({ ...options, atOnce: each }), inside: 0 }
      shares.set(of, share)
      share.inside++
      const leave = () => {
        if (--share.inside === 0) shares.delete(of)
      }
      const ends: (() => void)[] = [leave]
      const end = () => {
        for (const one of ends.splice(0)) one()
      }
      try {
        ends.push(await share.turns.take())
        ends.push(await all.take())
        return end
      } catch (error) {
        end()
        throw error
      }
    },
  }
}

/** Is it one of the calls that hash a password or compare one? By their names at either door: `auth.login`, `POST /api/auth/login`. */
function hashingOf(contract: Contract): (request: FastifyRequest) => boolean {
  const hashing = new Set(
    routesOf(contract).flatMap(([name, { hashes, confirm, method, path }]) =>
      hashes || confirm ? [name, `${method} /api${fastifyPath(path)}`] : [],
    ),
  )
  return ({ method, params, routeOptions }) => {
    const { path = '' } = params as { path?: string }
    return hashing.has(`${method} ${routeOptions.url}`) || path.split(',').some((name) => hashing.has(name))
  }
}

/**
 * Has calls take turns, from their last byte until their answer is made. Those that hash a password have a line of their own: they
 * are slow, and of thousands that sign in at once the first must get through all their statements, while others go on.
 */
export function takeTurns(contract: Contract): (app: FastifyInstance) => void {
  const isHashing = hashingOf(contract)
  const [ordinary, hashing] = [createTurns(), createTurns({ atOnce: 32, patience: 4000 })]
  return (app) => takeTurnsIn(app, (request) => (isHashing(request) ? hashing : ordinary))
}

/** The same in one scope, with lines of the caller's. */
export function takeTurnsIn(app: FastifyInstance, turnsOf: (request: FastifyRequest) => Turns): void {
  const ends = new WeakMap<FastifyRequest, () => void>()
  app.addHook('preHandler', async (request, reply) => {
    const end = await turnsOf(request).take()
    ends.set(request, end)
    whenOver(request, reply, end)
    // Whoever asked went while they waited: the turn is over, and nobody is left to do it for.
    if (isOver(request, reply)) throw new Refusal(faults.unavailable)
  })
  app.addHook('onSend', (request, _reply, answer, done) => {
    const end = ends.get(request)
    // Somebody may never read it: an answer needs no turn once it is made, and one that still grows has its time.
    const isGrowing = answer instanceof Response && answer.headers.has('transfer-encoding')
    if (!isGrowing) end?.()
    else if (end) setTimeout(end, ANSWER_WITHIN).unref()
    done(null, answer)
  })
}
