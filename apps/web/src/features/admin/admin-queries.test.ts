import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { reloadListsSoon } from './admin-queries.ts'

afterEach(() => {
  vi.useRealTimers()
  queryClient.clear()
})

it('reloads lists 500 ms after an action, lets figures wait until they are looked at, and leaves settings', async () => {
  vi.useFakeTimers()
  const keyOf = (path: string) => [path.split('.')]
  const isStale = (path: string) => queryClient.getQueryState(keyOf(path))?.isInvalidated
  for (const path of ['users.list', 'admin.stats', 'admin.settings', 'system.settings'])
    queryClient.setQueryData(keyOf(path), {})
  reloadListsSoon()
  await vi.advanceTimersByTimeAsync(499)
  expect(isStale('users.list')).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isStale('users.list')).toBe(true)
  expect(isStale('admin.stats')).toBe(true)
  for (const path of ['admin.settings', 'system.settings']) expect(isStale(path)).toBe(false)
})
