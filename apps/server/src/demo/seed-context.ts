import { randomUUID } from 'node:crypto'
import type { AuthenticatedContext, Caller, Deps } from '../context.ts'

export const DAY_MS = 86_400_000

/** A seeded random number generator, so that screenshots of the demo can be compared. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
export const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

/** The context of a use case for a user, without a request. */
export const contextFor = (deps: Deps, user: Caller): AuthenticatedContext => ({
  deps,
  db: deps.db,
  user,
  tokenError: null,
  request: {
    id: randomUUID(),
    ip: '127.0.0.1',
    userAgent: 'demo',
    language: 'en',
    cookie: () => undefined,
    setCookie: () => {},
    clearCookie: () => {},
  },
})
