import { ACCESS_TOKEN_TTL } from '@community/contract/limits'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queryClient } from '../query-client.ts'
import { clearSession, storeSession, userOfEndedSession } from '../session.ts'
import { startLive } from './index.ts'

interface FakeStream {
  headers: Headers
  signal: AbortSignal
  /** Sends an event, or a comment. */
  send(text: string): Promise<void>
  end(): void
}

let streams: FakeStream[]
let stops: (() => void)[]
let respond: () => Response | null
/** Waits until this many streams were opened. */
const openedBy = (count: number) => vi.waitFor(() => expect(streams).toHaveLength(count))

function fakeFetch(_url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const rejected = respond()
  if (rejected) return Promise.resolve(rejected)
  const signal = init.signal as AbortSignal
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own
    },
  })
  signal.addEventListener('abort', () => controller.error(new DOMException('aborted', 'AbortError')))
  streams.push({
    headers: new Headers(init.headers),
    signal,
    send: async (text) => {
      controller.enqueue(new TextEncoder().encode(`${text}\n\n`))
      await vi.advanceTimersByTimeAsync(1)
    },
    end: () => controller.close(),
  })
  return Promise.resolve({ ok: true, status: 200, headers: new Headers(), body } as Response)
}

/** Web Locks of one name, shared by the tabs of a test. */
function fakeLocks() {
  const queue: (() => void)[] = []
  let isHeld = false
  const next = () => {
    isHeld = false
    queue.shift()?.()
  }
  return {
    request: (_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        const run = () => {
          if (signal.aborted) return next()
          isHeld = true
          return void work().then(resolve, reject).finally(next)
        }
        signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
        if (isHeld) queue.push(run)
        else run()
      }),
  }
}

class FakeChannel extends EventTarget {
  static readonly all = new Set<FakeChannel>()
  constructor() {
    super()
    FakeChannel.all.add(this)
  }
  postMessage(data: unknown) {
    for (const other of FakeChannel.all)
      if (other !== this) other.dispatchEvent(Object.assign(new Event('message'), { data }))
  }
  close() {
    FakeChannel.all.delete(this)
  }
}

const show = (state: 'visible' | 'hidden') => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}
const start = () => {
  const stop = startLive()
  stops.push(stop)
  return stop
}
const READY = 'id: 7\nevent: ready\ndata: {}'
let invalidated: () => number

beforeEach(() => {
  vi.useFakeTimers()
  streams = []
  stops = []
  respond = () => null
  vi.stubGlobal('fetch', vi.fn(fakeFetch))
  vi.stubGlobal('BroadcastChannel', FakeChannel)
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue(fakeLocks() as unknown as LockManager)
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const spy = vi.spyOn(queryClient, 'invalidateQueries').mockResolvedValue()
  invalidated = () => spy.mock.calls.length
  show('visible')
})
afterEach(() => {
  for (const stop of stops) stop()
})

describe('the stream', () => {
  it('makes the queries of an event stale, soon and once for several events', async () => {
    start()
    await openedBy(1)
    await streams[0]?.send(READY)
    expect(invalidated()).toBe(0)
    await streams[0]?.send('event: leaderboard\ndata: {}')
    await streams[0]?.send('event: teams\ndata: {}')
    await vi.advanceTimersByTimeAsync(700)
    expect(invalidated()).toBe(1)
  })

  it.each([
    ['notifications', 0],
    ['teams', 30_000],
  ])('refreshes the dashboard after %s, within %i ms', async (event, spread) => {
    start()
    await openedBy(1)
    await streams[0]?.send(READY)
    await streams[0]?.send(`event: ${event}\ndata: {}`)
    await vi.advanceTimersByTimeAsync(spread)
    const [filters] = vi.mocked(queryClient.invalidateQueries).mock.calls.at(-1) ?? []
    const isStale = (path: string) => filters?.predicate?.({ queryKey: [path.split('.')] } as never)
    expect(['users.dashboard', 'users.teams', 'teams.submissions'].map(isStale)).toEqual([true, true, true])
  })

  it('resumes after the last id, and fetches everything again then', async () => {
    start()
    await openedBy(1)
    await streams[0]?.send(READY)
    await streams[0]?.send('id: 7+9\nevent: notifications\ndata: {}')
    await streams[0]?.send('retry: 1500\nevent: end\ndata: {}')
    streams[0]?.end()
    await vi.advanceTimersByTimeAsync(1400)
    expect(streams).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(streams[1]?.headers.get('last-event-id')).toBe('7+9')
    const before = invalidated()
    await streams[1]?.send(READY)
    await vi.advanceTimersByTimeAsync(700)
    expect(invalidated()).toBe(before + 1)
  })

  it('sends the token in a header, never in the URL, and starts anew for another user', async () => {
    start()
    await openedBy(1)
    expect(streams[0]?.headers.has('authorization')).toBe(false)
    storeSession({ requiresOTP: false, user: { id: 'u1' }, token: 'secret', refreshToken: 'r' } as never)
    await openedBy(2)
    expect(streams[0]?.signal.aborted).toBe(true)
    expect(streams[1]?.headers.get('authorization')).toBe('Bearer secret')
    expect(vi.mocked(fetch).mock.calls.every(([url]) => url === '/api/events')).toBe(true)
    clearSession()
    await openedBy(3)
    expect(streams[2]?.headers.has('authorization')).toBe(false)
  })

  it('opens none for a turn that ended while its token was refreshed', async () => {
    storeSession({ requiresOTP: false, user: { id: 'u1' }, token: 'old', refreshToken: 'r' } as never)
    vi.setSystemTime(Date.now() + ACCESS_TOKEN_TTL * 1000)
    respond = () => {
      respond = () => null
      return Response.json({ success: false, message: 'x', code: 'REFRESH_INVALID' }, { status: 401 })
    }
    start()
    await openedBy(1)
    expect(userOfEndedSession()).toBe('u1')
    storeSession({ requiresOTP: false, user: { id: 'u1' }, token: 'new', refreshToken: 'r' } as never)
    await openedBy(2)
    expect(streams[0]?.signal.aborted).toBe(true)
    expect(streams[1]?.headers.get('authorization')).toBe('Bearer new')
    clearSession()
  })

  it('waits longer after each failure', async () => {
    respond = () => new Response('{}', { status: 503 })
    start()
    const attempts = () => vi.mocked(fetch).mock.calls.length
    await vi.advanceTimersByTimeAsync(0)
    expect(attempts()).toBe(1)
    const reached: number[] = []
    for (let second = 1; second <= 40; second++) {
      await vi.advanceTimersByTimeAsync(1000)
      if (attempts() > reached.length + 1) reached.push(second)
    }
    // 1.5, 3, 6 and 12 s apart.
    expect(reached).toEqual([2, 5, 11, 23])
  })

  it('polls every minute and says so once when a proxy holds events back', async () => {
    const info = vi.spyOn(console, 'info').mockReturnValue()
    start()
    await openedBy(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(streams[0]?.signal.aborted).toBe(true)
    const before = invalidated()
    await vi.advanceTimersByTimeAsync(3 * 60_000 + 700)
    expect(invalidated()).toBe(before + 3)
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(streams.length).toBeGreaterThan(1)
    expect(info).toHaveBeenCalledOnce()
  })

  it('counts as held back when its heartbeat stops', async () => {
    vi.spyOn(console, 'info').mockReturnValue()
    start()
    await openedBy(1)
    await streams[0]?.send(READY)
    for (let count = 0; count < 5; count++) {
      await vi.advanceTimersByTimeAsync(20_000)
      await streams[0]?.send(':')
    }
    expect(streams[0]?.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(45_000)
    expect(streams[0]?.signal.aborted).toBe(true)
  })
})

describe('a tab that is shown again', () => {
  /** Counts the requests of a query on screen that the stream is about, already older than 30 s. */
  function observeTeams() {
    vi.mocked(queryClient.invalidateQueries).mockRestore()
    const read = vi.fn(() => Promise.resolve(0))
    queryClient.mount()
    const observer = new QueryObserver(queryClient, { queryKey: [['teams', 'list']], queryFn: read })
    const unsubscribe = observer.subscribe(() => undefined)
    const stop = () => {
      unsubscribe()
      queryClient.unmount()
    }
    stops.push(stop)
    return read
  }
  async function hideForAMinute() {
    show('hidden')
    await vi.advanceTimersByTimeAsync(60_000)
    show('visible')
  }

  it('fetches once, when its stream is open', async () => {
    const read = observeTeams()
    start()
    await openedBy(1)
    await streams[0]?.send(READY)
    await hideForAMinute()
    await openedBy(2)
    await vi.advanceTimersByTimeAsync(500)
    expect(read).toHaveBeenCalledOnce()
    await streams[1]?.send(READY)
    await vi.advanceTimersByTimeAsync(5000)
    expect(read).toHaveBeenCalledTimes(2)
  })

  it('fetches at once if its stream does not open, and again when it does', async () => {
    const read = observeTeams()
    start()
    await openedBy(1)
    await streams[0]?.send(READY)
    respond = () => new Response('{}', { status: 503 })
    await hideForAMinute()
    await vi.advanceTimersByTimeAsync(1000)
    expect(read).toHaveBeenCalledTimes(2)
    respond = () => null
    await vi.advanceTimersByTimeAsync(2000)
    await openedBy(2)
    await streams[1]?.send(READY)
    await vi.advanceTimersByTimeAsync(700)
    expect(read).toHaveBeenCalledTimes(3)
  })

  it('fetches after a second while another window keeps the stream', async () => {
    const read = observeTeams()
    start()
    await openedBy(1)
    await streams[0]?.send(READY)
    show('hidden')
    // The window beside it.
    void navigator.locks.request('live', { signal: new AbortController().signal }, () => new Promise(() => {}))
    await vi.advanceTimersByTimeAsync(60_000)
    show('visible')
    await vi.advanceTimersByTimeAsync(900)
    expect(read).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(200)
    expect(read).toHaveBeenCalledTimes(2)
    expect(streams).toHaveLength(1)
  })

  it('fetches at once if it never had a stream', async () => {
    const read = observeTeams()
    start()
    await openedBy(1)
    await hideForAMinute()
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2))
  })
})

it('the first stream fetches what has failed before: the backend is back', async () => {
  const read = vi.fn(() => Promise.resolve(0)).mockRejectedValueOnce(new Error('unavailable'))
  const observer = new QueryObserver(queryClient, { queryKey: [['settings']], queryFn: read, retry: false })
  stops.push(observer.subscribe(() => undefined))
  start()
  await openedBy(1)
  expect(read).toHaveBeenCalledOnce()
  await streams[0]?.send(READY)
  expect(read).toHaveBeenCalledTimes(2)
  await streams[0]?.send('event: leaderboard\ndata: {}')
  expect(read).toHaveBeenCalledTimes(2)
})

describe('several tabs', () => {
  it('share one stream, whose events reach all', async () => {
    start()
    start()
    await openedBy(1)
    await streams[0]?.send(READY)
    const received = vi.fn()
    for (const channel of FakeChannel.all) channel.addEventListener('message', received)
    await streams[0]?.send('event: teams\ndata: {}')
    expect(received).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(5000)
    expect(streams).toHaveLength(1)
  })

  it('fetch in the background nothing, and what went stale once they are shown', async () => {
    vi.mocked(queryClient.invalidateQueries).mockRestore()
    const read = vi.fn(() => Promise.resolve(0))
    queryClient.mount()
    const observer = new QueryObserver(queryClient, { queryKey: [['teams', 'list']], queryFn: read })
    const unsubscribe = observer.subscribe(() => undefined)
    start()
    show('hidden')
    for (const channel of FakeChannel.all)
      channel.dispatchEvent(Object.assign(new Event('message'), { data: { event: 'teams' } }))
    await vi.advanceTimersByTimeAsync(700)
    expect(read).toHaveBeenCalledOnce()
    show('visible')
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2))
    unsubscribe()
    queryClient.unmount()
  })

  it('in the background do not count a response to an earlier request as new', async () => {
    vi.mocked(queryClient.invalidateQueries).mockRestore()
    let respondOnce: (value: number) => void = () => undefined
    const read = vi.fn(() => new Promise<number>((resolve) => (respondOnce = resolve)))
    queryClient.mount()
    const observer = new QueryObserver(queryClient, { queryKey: [['teams', 'list']], queryFn: read, initialData: 0 })
    const unsubscribe = observer.subscribe(() => undefined)
    void observer.refetch()
    start()
    show('hidden')
    for (const channel of FakeChannel.all)
      channel.dispatchEvent(Object.assign(new Event('message'), { data: { event: 'teams' } }))
    await vi.advanceTimersByTimeAsync(700)
    respondOnce(1)
    await vi.advanceTimersByTimeAsync(1)
    const readBefore = read.mock.calls.length
    show('visible')
    await vi.waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(readBefore))
    unsubscribe()
    queryClient.unmount()
  })

  it('hand the stream over when the one that has it closes', async () => {
    const stop = start()
    start()
    await openedBy(1)
    stop()
    await openedBy(2)
    expect(streams[0]?.signal.aborted).toBe(true)
  })

  it('hold no connection in the background', async () => {
    start()
    await openedBy(1)
    show('hidden')
    expect(streams[0]?.signal.aborted).toBe(true)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(streams).toHaveLength(1)
    show('visible')
    await openedBy(2)
  })
})
