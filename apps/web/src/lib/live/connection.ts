import { refreshSession, freshToken } from '../session.ts'
import { sleep } from '../sleep.ts'
import { readEvents } from './read-events.ts'

/** Milliseconds without the first event, and without a later one (heartbeats come every 20 s): then a proxy holds the stream back. */
const FIRST_MS = 10_000
const SILENCE_MS = 45_000
/** Milliseconds before the next attempt: doubled after each failure, with jitter. */
const BACKOFF_MS = { first: 1000, max: 60_000 }
/** Milliseconds between two polls, and until a held-back stream is tried again. */
const POLL_MS = 60_000
const BLOCKED_MS = 5 * POLL_MS

interface ConnectionEvents {
  /** An event's name. */
  onEvent(event: string): void
  /** The first stream is open: nothing that changes from now on is missed. */
  onOpen(): void
  /** What was missed since the last connection is not repeated: fetch everything again. */
  onGap(): void
}

type Outcome = 'ended' | 'failed' | 'held back'

/** Until the browser is online, or at once. */
const untilOnline = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (navigator.onLine) return resolve()
    window.addEventListener('online', () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve())
    return undefined
  })

/** What a connection leaves to the next one. */
interface Position {
  lastId: string | null
  wasOpen: boolean
  hasLogged: boolean
}

/** Nothing received yet. */
export const newPosition = (): Position => ({ lastId: null, wasOpen: false, hasLogged: false })

/** One attempt. */
interface AttemptState {
  /** Milliseconds to wait before the next one, as the server asks. */
  retry: number | null
  isReady: boolean
}

/** Opens one stream and reads it to its end. Sets `state`. */
async function connectOnce(
  events: ConnectionEvents,
  signal: AbortSignal,
  position: Position,
  state: AttemptState,
): Promise<Outcome> {
  const token = await freshToken()
  // The refresh may have ended the session, which aborts this connection.
  if (signal.aborted) return 'failed'
  const attempt = new AbortController()
  const abort = () => attempt.abort()
  signal.addEventListener('abort', abort)
  let isHeldBack = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const expectWithin = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      isHeldBack = true
      attempt.abort()
    }, ms)
  }
  expectWithin(FIRST_MS)
  try {
    const response = await fetch('/api/events', {
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(position.lastId && { 'last-event-id': position.lastId }),
      },
      cache: 'no-store',
      signal: attempt.signal,
    })
    // Without a response the attempt has failed, and the next one refreshes again.
    if (response.status === 401 && token !== null) await refreshSession(token).catch(() => {})
    const retryAfter = Number(response.headers.get('retry-after') ?? 0)
    if (retryAfter > 0) state.retry = retryAfter * 1000 * (1 + Math.random())
    if (!response.ok || !response.body) return 'failed'
    await readEvents(
      response.body,
      ({ event, id, retry }) => {
        position.lastId = id ?? position.lastId
        state.retry = retry ?? state.retry
        if (event === 'ready') {
          state.isReady = true
          expectWithin(SILENCE_MS)
          if (position.wasOpen) events.onGap()
          else events.onOpen()
          position.wasOpen = true
        } else if (event === 'reset') events.onGap()
        else events.onEvent(event)
      },
      () => expectWithin(state.isReady ? SILENCE_MS : FIRST_MS),
    )
    return state.isReady ? 'ended' : 'failed'
  } catch {
    return isHeldBack ? 'held back' : 'failed'
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/**
 * Follows the stream until `signal` aborts: connects again after its end, and polls where a proxy holds it back. Reports a gap at once if
 * the first attempt fails, because nothing else fetches what was missed before.
 */
export async function follow(events: ConnectionEvents, signal: AbortSignal, position: Position): Promise<void> {
  let failures = 0
  let isFirst = true
  while (!signal.aborted) {
    await untilOnline(signal)
    if (signal.aborted) return
    const state: AttemptState = { retry: null, isReady: false }
    const outcome = await connectOnce(events, signal, position, state)
    if (signal.aborted) return
    if (isFirst && !state.isReady && position.wasOpen) events.onGap()
    isFirst = false
    if (outcome === 'held back') {
      // Tells developers why the page is late.
      // oxlint-disable-next-line no-console
      if (!position.hasLogged) console.info('Live updates do not get through. Polling every 60 s instead.')
      position.hasLogged = true
      for (let waited = 0; waited < BLOCKED_MS && !signal.aborted; waited += POLL_MS) {
        await sleep(POLL_MS, signal)
        if (!signal.aborted) events.onGap()
      }
      continue
    }
    failures = outcome === 'ended' ? 0 : failures + 1
    const ceiling = Math.min(BACKOFF_MS.max, BACKOFF_MS.first * 2 ** failures)
    await sleep(state.retry ?? ceiling * (0.5 + Math.random() / 2), signal)
  }
}
