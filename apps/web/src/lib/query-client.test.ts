import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failureOf } from './failure.ts'
import { queryClient } from './query-client.ts'
import { trpcClient } from './trpc.ts'

describe('a write while the device is offline', () => {
  afterEach(() => onlineManager.setOnline(true))

  it('fails at once instead of being paused', async () => {
    onlineManager.setOnline(false)
    const write = new MutationObserver(queryClient, {
      mutationFn: () => Promise.reject(new TypeError('Failed to fetch')),
    })
    await expect(write.mutate()).rejects.toThrow('Failed to fetch')
  })
})

describe('a read while the device is offline', () => {
  afterEach(() => onlineManager.setOnline(true))

  it('fails instead of being paused, and is fetched again once online', async () => {
    onlineManager.setOnline(false)
    const read = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
    const observer = new QueryObserver(queryClient, { queryKey: ['offline'], queryFn: read, retry: false })
    const stop = observer.subscribe(() => {})
    await vi.waitFor(() => expect(observer.getCurrentResult().isError).toBe(true))
    // The client follows the connection only while it is mounted, as QueryClientProvider does.
    queryClient.mount()
    onlineManager.setOnline(true)
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2))
    queryClient.unmount()
    stop()
  })
})

const fetchMock = vi.fn<typeof fetch>()
/** Mocks `fetch` and the timers for the tests of the surrounding `describe`. */
function mockFetch() {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('fetch', fetchMock)
  })
  afterEach(() => {
    fetchMock.mockReset()
  })
}

describe('a query that is rate limited', () => {
  mockFetch()
  const tooManyRequests = (cooldown: number) =>
    new Response(
      JSON.stringify({ success: false, code: 'TOO_MANY_REQUESTS', message: 'Too many requests.', cooldown }),
      { status: 429, headers: { 'retry-after': String(cooldown) } },
    )
  // `fetchQuery` defaults to `retry: false`, so pass the client's defaults.
  const { retry, retryDelay } = queryClient.getDefaultOptions().queries ?? {}
  const retryOptions = { ...(retry !== undefined && { retry }), ...(retryDelay !== undefined && { retryDelay }) }
  const roles = () =>
    queryClient.fetchQuery({
      queryKey: [['roles', 'list']],
      queryFn: () => trpcClient.roles.list.query(),
      ...retryOptions,
    })

  it('is retried after `Retry-After`', async () => {
    fetchMock.mockResolvedValueOnce(tooManyRequests(7))
    fetchMock.mockResolvedValueOnce(new Response(JSON.stringify([{ result: { data: { roles: [] } } }])))
    const answer = roles()
    await vi.advanceTimersByTimeAsync(6900)
    expect(fetchMock).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1200)
    expect(fetchMock).toHaveBeenCalledTimes(2)
    expect(await answer).toEqual({ roles: [] })
  })

  it('fails after two retries with the message of the server', async () => {
    fetchMock.mockImplementation(async () => tooManyRequests(2))
    const answer = roles().catch((error: unknown) => failureOf(error))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(fetchMock).toHaveBeenCalledTimes(3)
    expect(await answer).toMatchObject({
      kind: 'rejected',
      code: 'TOO_MANY_REQUESTS',
      message: 'Too many requests.',
      cooldown: 2,
    })
  })

  it('is retried once if too many searches were running', async () => {
    const busy = JSON.stringify({ success: false, code: 'SEARCH_BUSY', message: 'Too many searches.', cooldown: 1 })
    fetchMock.mockImplementation(async () => new Response(busy, { status: 503 }))
    const answer = roles().catch((error: unknown) => failureOf(error))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(await answer).toMatchObject({ code: 'SEARCH_BUSY' })
    expect(fetchMock).toHaveBeenCalledTimes(2)
  })

  it('is not retried if that would take too long', async () => {
    fetchMock.mockImplementation(async () => tooManyRequests(600))
    const answer = roles().catch((error: unknown) => failureOf(error))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(await answer).toMatchObject({ cooldown: 600 })
    expect(fetchMock).toHaveBeenCalledTimes(1)
  })
})

describe('tRPC batching', () => {
  mockFetch()
  const proceduresIn = (url: unknown) => (typeof url === 'string' ? url.split('?')[0] : '')?.split(',') ?? []

  it('is sent in batches of at most ten', async () => {
    fetchMock.mockImplementation(async (url) => {
      const names = proceduresIn(url)
      return new Response(JSON.stringify(names.map(() => ({ result: { data: null } }))))
    })
    const all = Promise.all(Array.from({ length: 23 }, (_, index) => trpcClient.teams.list.query({ page: index + 1 })))
    await vi.advanceTimersByTimeAsync(10)
    await all
    const sizes = fetchMock.mock.calls.map(([url]) => proceduresIn(url).length)
    expect(sizes).toEqual([10, 10, 3])
  })
})
