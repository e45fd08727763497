import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { activateLanguage } from '../src/lib/i18n.ts'

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  await activateLanguage('en')
})
afterEach(cleanup)
