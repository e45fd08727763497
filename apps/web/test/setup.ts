import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { activateLanguage } from '../src/lib/i18n.ts'
import { queryClient } from '../src/lib/query-client.ts'
import { resetStores } from '../src/lib/store.ts'
import { dropPendingRequests } from './fake-backend.ts'
import { endTimers } from './timers.ts'

// Only reached on a machine that is busy with other suites.
configure({ asyncUtilTimeout: 10_000 })

// No network: requests that a test does not fake stay pending.
window.fetch = () => new Promise(() => {})

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  // All files of a worker share the window: one that shows another page would leave its address to the next.
  history.replaceState(null, '', '/')
  resetStores()
  // A reload makes the page inert first, and in tests never happens.
  document.body.inert = false
  await activateLanguage('en')
})
afterEach(async () => {
  cleanup()
  dropPendingRequests()
  // Run pending fake timers: tRPC's batch would never be sent if its timer were dropped.
  if (vi.isFakeTimers()) await vi.runOnlyPendingTimersAsync()
  vi.useRealTimers()
  await endTimers()
  // Wait for mutations that have a response: their end refreshes queries, otherwise those of the next test.
  await vi.waitUntil(() => queryClient.isMutating() === 0, { timeout: 50, interval: 5 }).catch(() => {})
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  queryClient.clear()
  onlineManager.setOnline(true)
})
