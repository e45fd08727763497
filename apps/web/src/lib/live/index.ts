import { queryClient } from '../query-client.ts'
import { refetchFailed, refetchStale } from '../refetch.ts'
import { currentUser, subscribeSession } from '../session.ts'
import { follow, newPosition } from './connection.ts'
import { livePaths } from './live-paths.ts'
import { ALL, markStale } from './stale-queries.ts'

const LOCK = 'live'
/** Milliseconds after which another tab counts as visible, because it has not handed over the stream. */
const HANDOVER_MS = 1000

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
  const events = {
    onEvent: publish,
    onGap: () => publish(null),
    onOpen: () => {
      livePaths.setState(ALL, true)
      void refetchFailed(queryClient)
    },
  }

  const begin = () => {
    if (turn || !isVisible()) return
    const { signal } = (turn = new AbortController())
    let isLeading = false
    const lead = () => {
      isLeading = true
      return follow(events, signal, position)
    }
    // The stream of another window reports no gap to this one.
    setTimeout(() => {
      if (!isLeading && !signal.aborted) void refetchStale(queryClient, livePaths.getState())
    }, HANDOVER_MS)
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
    livePaths.setState([], true)
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
