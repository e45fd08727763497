import { currentUser, subscribeSession } from '../session.ts'
import { follow, newPosition } from './connection.ts'
import { markStale } from './stale-queries.ts'

const LOCK = 'live'

/** To the other tabs: an event's name; null for everything. */
type Message = { event: string | null }

const isVisible = (): boolean => document.visibilityState === 'visible'

/**
 * Follows what others change, while this tab is visible. Of several tabs one has the stream and tells the others; one in the background
 * hands it over. Returns a function that stops.
 */
export function startLive(): () => void {
  // Missing outside secure contexts, and in browsers that block storage: each tab then has a stream of its own.
  const locks: LockManager | undefined = navigator.locks
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(LOCK)
  let turn: AbortController | null = null
  let position = newPosition()
  let userId = currentUser()?.id ?? null

  const publish = (event: string | null) => {
    markStale(event)
    // A channel has no target origin: only pages of this one hear it.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel?.postMessage({ event } satisfies Message)
  }
  const events = { onEvent: publish, onGap: () => publish(null) }

  const begin = () => {
    if (turn || !isVisible()) return
    const { signal } = (turn = new AbortController())
    const lead = () => follow(events, signal, position)
    const leading = locks ? locks.request(LOCK, { signal }, lead) : lead()
    // Rejects when the turn ends before it gets the lock, or where locks are blocked.
    leading.catch(() => (signal.aborted ? undefined : lead()))
  }
  const end = () => {
    turn?.abort()
    turn = null
  }
  const onVisibility = () => (isVisible() ? begin() : end())
  const onSession = () => {
    const id = currentUser()?.id ?? null
    if (id === userId) return
    userId = id
    position = newPosition()
    end()
    begin()
  }
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => markStale(data.event))
  document.addEventListener('visibilitychange', onVisibility)
  const unsubscribe = subscribeSession(onSession)
  begin()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    unsubscribe()
    channel?.close()
    end()
  }
}
