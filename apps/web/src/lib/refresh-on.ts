import { type EventName, useListen } from './events.ts'
import { refresh } from './query-client.ts'

/** Fetches queries anew, by the start of their path, when another part of the page says that something was made. */
export function useRefreshOn(event: EventName, paths: readonly string[]): void {
  useListen(event, () => void refresh(paths))
}
