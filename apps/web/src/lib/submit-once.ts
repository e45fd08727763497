import type { AppRouter } from '@community/contract'
import type { TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { failureOf } from './failure.ts'

/** The keys of writes whose answer has not come, by what was written. */
const unanswered = new Map<string, string>()

// randomUUID is missing where the page is not served securely.
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Refused for good, so that the same words are a new try. An unavailable server may have done it all the same. */
const isRefusal = (error: unknown): boolean => {
  const { kind, code } = failureOf(error)
  return kind === 'refused' && code !== undefined && code !== 'UNAVAILABLE' && code !== 'IDEMPOTENCY_KEY_RUNNING'
}

export interface WriteContext {
  idempotencyKey?: string
}

/**
 * Gives every write an Idempotency-Key. Somebody who presses the button again because the answer was lost sends the same
 * key, and what they made is not made twice.
 */
export const submitOnce: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    if (op.type !== 'mutation') return next(op)
    const write = `${op.path} ${JSON.stringify(op.input)}`
    const idempotencyKey = unanswered.get(write) ?? newKey()
    unanswered.set(write, idempotencyKey)
    return observable((observer) => {
      const subscription = next({ ...op, context: { ...op.context, idempotencyKey } }).subscribe({
        next: (value) => {
          unanswered.delete(write)
          observer.next(value)
        },
        error: (error) => {
          if (isRefusal(error)) unanswered.delete(write)
          observer.error(error)
        },
        complete: () => observer.complete(),
      })
      return () => subscription.unsubscribe()
    })
  }
