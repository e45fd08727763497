import type { AppContract, Failure, Input, Output, Route } from '@community/contract'
import { vi } from 'vitest'

type Union<T> = T[keyof T]
type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never
type Handler<R> = R extends Route ? (input: Input<R>) => Output<R> | Promise<Output<R>> : never
type CallsOf<D extends string, Routes> = { [K in keyof Routes & string as `${D}.${K}`]: Handler<Routes[K]> }
type AllCalls = Intersection<Union<{ [D in keyof AppContract]: CallsOf<D, AppContract[D]> }>>

/** What the backend answers, by the call's path, as the contract types it. */
export type Answers = Partial<AllCalls>

export interface Made {
  path: string
  input: unknown
  headers: Headers
}

class Refused extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** To throw from an answer: `throw refusal('TEAM_FULL', 'This team is full')`. */
export const refusal = (code: string, message: string, extra: Partial<Failure> = {}): Error =>
  new Refused({ success: false, code, message, ...extra })

const UNANSWERED: Failure = { success: false, code: 'UNAVAILABLE', message: 'No answer was prepared for this call' }

async function answer(handler: ((input: never) => unknown) | undefined, input: unknown): Promise<object> {
  try {
    if (!handler) throw new Refused(UNANSWERED)
    // The input is what the typed client sent for this very path.
    return { result: { data: await handler(input as never) } }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const data = { code: 'BAD_REQUEST', httpStatus: 400, failure: error.failure }
    return { error: { message: error.message, code: -32600, data } }
  }
}

let visit = 0
/** Ends the visit of a test: what is still asked for is never answered, or it would refresh the next test's page. */
export const endVisit = (): void => void visit++

/**
 * Stands in for the network: every call of the tRPC client is answered by the handlers given, and written down. A handler
 * that throws anything but a refusal is a connection that broke.
 */
export function fakeBackend(answers: Answers): { made: Made[]; inputsOf: (path: keyof AllCalls) => unknown[] } {
  const made: Made[] = []
  const visitNow = visit
  const handlers = answers as Record<string, ((input: never) => unknown) | undefined>
  const respond = async (resource: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(resource instanceof Request ? resource.url : resource, window.location.href)
    const paths = decodeURIComponent(url.pathname.replace('/trpc/', '')).split(',')
    const isBatch = url.searchParams.has('batch')
    const sent: unknown = JSON.parse(
      typeof init.body === 'string' ? init.body : (url.searchParams.get('input') ?? 'null'),
    )
    const inputs = isBatch ? (sent as Record<string, unknown>) : { 0: sent }
    const bodies = await Promise.all(
      paths.map((path, index) => {
        made.push({ path, input: inputs[index], headers: new Headers(init.headers) })
        return answer(handlers[path], inputs[index])
      }),
    )
    if (visit !== visitNow) return new Promise<never>(() => {})
    return new Response(JSON.stringify(isBatch ? bodies : bodies[0]), {
      headers: { 'content-type': 'application/json' },
    })
  }
  vi.stubGlobal('fetch', respond)
  return { made, inputsOf: (path) => made.filter((call) => call.path === path).map((call) => call.input) }
}
