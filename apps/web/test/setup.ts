import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { activateLanguage } from '../src/lib/i18n.ts'
import { resetMemoryState } from '../src/lib/memory-state.ts'

// What is waited for ends the wait; the limit only matters on a machine that is busy with other suites.
configure({ asyncUtilTimeout: 10_000 })

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  resetMemoryState()
  // A test's reload never comes.
  document.body.inert = false
  await activateLanguage('en')
})
afterEach(cleanup)
