import { QueryObserver } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { queryClient } from '../lib/query-client.ts'
import { UnavailableNotice } from './unavailable-notice.tsx'

const TEXT = 'The service is unavailable right now. Please try again.'

let isHealthy: boolean
beforeEach(() => {
  isHealthy = false
  vi.stubGlobal('fetch', async () => new Response(null, { status: isHealthy ? 200 : 503 }))
})

it('disappears at once if only the check before the start was slow', async () => {
  isHealthy = true
  renderWithProviders(<UnavailableNotice isAvailable={false} />)
  await waitFor(() => expect(screen.queryByText(TEXT)).toBeNull())
})

it('checks again by itself, and then fetches what has failed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const read = vi.fn(() => Promise.resolve('teams')).mockRejectedValueOnce(new Error('unavailable'))
  renderWithProviders(<UnavailableNotice isAvailable={false} />)
  const observer = new QueryObserver(queryClient, { queryKey: ['failed'], queryFn: read, retry: false })
  const unsubscribe = observer.subscribe(() => {})
  await waitFor(() => expect(observer.getCurrentResult().isError).toBe(true))
  expect(screen.getByText(TEXT)).toBeDefined()
  isHealthy = true
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  await waitFor(() => expect(screen.queryByText(TEXT)).toBeNull())
  await waitFor(() => expect(read).toHaveBeenCalledTimes(2))
  unsubscribe()
})

it('checks at once on request', async () => {
  renderWithProviders(<UnavailableNotice isAvailable={false} />)
  isHealthy = true
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
  await waitFor(() => expect(screen.queryByText(TEXT)).toBeNull())
})
