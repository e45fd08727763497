import type { AppContract, Failure, Input, Output, Route } from '@community/contract'
import { vi } from 'vitest'

type Union<T> = T[keyof T]
type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (all: infer I) => void ? I : never
type Handler<R> = R extends Route ? (input: Input<R>) => Output<R> | Promise<Output<R>> : never
type HandlersOf<D extends string, Routes> = { [K in keyof Routes & string as `${D}.${K}`]: Handler<Routes[K]> }
type AllHandlers = Intersection<Union<{ [D in keyof AppContract]: HandlersOf<D, AppContract[D]> }>>

/** The responses by procedure, typed by the contract. */
export type Handlers = Partial<AllHandlers>

export interface RecordedRequest {
  path: string
  input: unknown
  headers: Headers
  signal: AbortSignal | null | undefined
}

class FakeAppError extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** An error to throw in a handler: `throw appError('TEAM_FULL', 'This team is full')`. */
export const appError = (code: string, message: string, extra: Partial<Failure> = {}): Error =>
  new FakeAppError({ success: false, code, message, ...extra })

const NO_HANDLER: Failure = { success: false, code: 'UNAVAILABLE', message: 'No answer was prepared for this call' }

async function callHandler(handler: ((input: never) => unknown) | undefined, input: unknown): Promise<object> {
  try {
    if (!handler) throw new FakeAppError(NO_HANDLER)
    // The typed client sent this input for this path.
    return { result: { data: await handler(input as never) } }
  } catch (error) {
    if (!(error instanceof FakeAppError)) throw error
    const data = { code: 'BAD_REQUEST', httpStatus: 400, failure: error.failure }
    return { error: { message: error.message, code: -32600, data } }
  }
}

let currentTest = 0
/** Drops pending requests at the end of a test: their responses would refresh the next test's page. */
export const dropPendingRequests = (): void => void currentTest++

/**
 * Replaces the network: the handlers respond to every request of the tRPC client, which is also recorded. A handler that
 * throws anything but an `appError` simulates a broken connection.
 */
export function fakeBackend(answers: Handlers): {
  requests: RecordedRequest[]
  inputsOf: (path: keyof AllHandlers) => unknown[]
} {
  const made: RecordedRequest[] = []
  const testAtStart = currentTest
  const handlers = answers as Record<string, ((input: never) => unknown) | undefined>
  const respond = async (resource: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(resource instanceof Request ? resource.url : resource, window.location.href)
    const paths = decodeURIComponent(url.pathname.replace('/trpc/', '')).split(',')
    const isBatch = url.searchParams.has('batch')
    const body: unknown = JSON.parse(
      typeof init.body === 'string' ? init.body : (url.searchParams.get('input') ?? 'null'),
    )
    const inputs = isBatch ? (body as Record<string, unknown>) : { 0: body }
    const bodies = await Promise.all(
      paths.map((path, index) => {
        made.push({ path, input: inputs[index], headers: new Headers(init.headers), signal: init.signal })
        return callHandler(handlers[path], inputs[index])
      }),
    )
    if (currentTest !== testAtStart) return new Promise<never>(() => {})
    return new Response(JSON.stringify(isBatch ? bodies : bodies[0]), {
      headers: { 'content-type': 'application/json' },
    })
  }
  vi.stubGlobal('fetch', respond)
  return { requests: made, inputsOf: (path) => made.filter((call) => call.path === path).map((call) => call.input) }
}
