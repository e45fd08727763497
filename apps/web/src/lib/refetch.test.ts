import { QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { AppError, TransportError } from './failure.ts'
import { queryClient } from './query-client.ts'
import { refetchFailed } from './refetch.ts'

it.each([
  [2, 'a broken connection', new TransportError('network', 'x')],
  [2, 'a server error', new AppError('x', { code: 'UNAVAILABLE' })],
  [1, 'a rejection', new AppError('x', { code: 'CHALLENGE_MISSING' })],
  [1, 'a rate limit', new AppError('x', { code: 'TOO_MANY_REQUESTS' })],
])('has made %d requests after %s', async (requests, _failure, error) => {
  const read = vi.fn(() => Promise.reject(error))
  const observer = new QueryObserver(queryClient, { queryKey: ['failed'], queryFn: read, retry: false })
  const stop = observer.subscribe(() => {})
  await vi.waitFor(() => expect(observer.getCurrentResult().isError).toBe(true))
  await refetchFailed(queryClient)
  expect(read).toHaveBeenCalledTimes(requests)
  stop()
})
