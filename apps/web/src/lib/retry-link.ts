import type { AppRouter } from '@community/contract'
import { type Operation, type OperationLink, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'

/** Returns the context to add to the retried operation, or null to give up. May throw another error. */
type Recover = (error: TRPCClientError<AppRouter>, attempt: number) => Promise<object | null>
type Next = Parameters<OperationLink<AppRouter>>[0]['next']

/** A link that retries a failed operation with the context that `createRecover` returns, until it returns null. */
export const createRetryLink =
  (createRecover: (op: Operation, next: Next) => Recover): TRPCLink<AppRouter> =>
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const recover = createRecover(op, next)
      let unsubscribe = () => {}
      let isClosed = false
      const send = (context: object, attempt: number) => {
        const subscription = next({ ...op, context: { ...op.context, ...context } }).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: (error) => {
            void recover(error, attempt).then(
              (more) => {
                if (isClosed) return
                if (more) send(more, attempt + 1)
                else observer.error(error)
              },
              (failure: Error) => observer.error(TRPCClientError.from(failure)),
            )
          },
        })
        unsubscribe = () => subscription.unsubscribe()
      }
      send({}, 1)
      return () => {
        isClosed = true
        unsubscribe()
      }
    })
