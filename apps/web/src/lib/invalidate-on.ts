import { type EventName, useListen } from './events.ts'
import { invalidate } from './invalidate.ts'
import { queryClient } from './query-client.ts'

/** Invalidates queries by path prefix on a window event of another feature. */
export function useInvalidateOn(event: EventName, paths: readonly string[]): void {
  useListen(event, () => void invalidate(queryClient, paths))
}
