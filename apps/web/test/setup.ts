import { onlineManager } from '@tanstack/react-query'
import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { activateLanguage } from '../src/lib/i18n.ts'
import { queryClient } from '../src/lib/query-client.ts'
import { resetStores } from '../src/lib/store.ts'
import { dropPendingRequests } from './fake-backend.ts'
import { endTimers } from './timers.ts'

// What is waited for ends the wait; the limit only matters on a machine that is busy with other suites.
configure({ asyncUtilTimeout: 10_000 })

// There is no network: what a test does not fake is never answered.
window.fetch = () => new Promise(() => {})

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  resetStores()
  // A test's reload never comes.
  document.body.inert = false
  await activateLanguage('en')
})
afterEach(async () => {
  cleanup()
  dropPendingRequests()
  // tRPC's batch waits for its timer for good, were it dropped with the false clock.
  if (vi.isFakeTimers()) await vi.runOnlyPendingTimersAsync()
  vi.useRealTimers()
  await endTimers()
  // A mutation that was answered already refreshes queries when it ends: those of the next test. One that is not answered never ends.
  await vi.waitUntil(() => queryClient.isMutating() === 0, { timeout: 50, interval: 5 }).catch(() => {})
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  queryClient.clear()
  onlineManager.setOnline(true)
})
