import type { AppRouter } from '@community/contract'
import type { TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { dropEarlyResponses } from './early-responses.ts'
import { failureOf } from './failure.ts'

/** Idempotency keys of writes without a response, by path and input. */
const pendingKeys = new Map<string, string>()

// randomUUID exists only in secure contexts.
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether the server did not do the write. After UNAVAILABLE it may have. */
const isRejection = (error: unknown): boolean => {
  const { kind, code } = failureOf(error)
  return kind === 'rejected' && code !== undefined && code !== 'UNAVAILABLE' && code !== 'IDEMPOTENCY_KEY_RUNNING'
}

export interface WriteContext {
  idempotencyKey?: string
}

/** Sends every write with an Idempotency-Key, and the same key again if the response was lost. */
export const idempotencyLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    if (op.type !== 'mutation') return next(op)
    dropEarlyResponses()
    const write = `${op.path} ${JSON.stringify(op.input)}`
    const idempotencyKey = pendingKeys.get(write) ?? newKey()
    pendingKeys.set(write, idempotencyKey)
    return observable((observer) => {
      const subscription = next({ ...op, context: { ...op.context, idempotencyKey } }).subscribe({
        next: (value) => {
          pendingKeys.delete(write)
          observer.next(value)
        },
        error: (error) => {
          if (isRejection(error)) pendingKeys.delete(write)
          observer.error(error)
        },
        complete: () => observer.complete(),
      })
      return () => subscription.unsubscribe()
    })
  }
