import { CODE_TTL } from '@community/contract/limits'
import { useState } from 'react'
import { isLoadedBy } from '../../lib/is-reload.ts'
import { tabStore } from '../../lib/storage.ts'
import { useNow } from '../../lib/use-now.ts'

const STORAGE_KEY = 'externalCodeExpiresAt'
const TICK_MS = 250

/** Seconds for which the code is valid: fewer if it was mailed before this redirect. From the URL, which anybody can forge. */
function validSeconds(): number {
  const seconds = Number(new URLSearchParams(window.location.search).get('expiresIn') ?? CODE_TTL)
  return seconds >= 0 ? Math.min(seconds, CODE_TTL) : CODE_TTL
}

/** When the mailed code expires, in milliseconds. Reloading the page or returning to it does not extend it; a new redirect does. */
function expiresAt(): number {
  const stored = isLoadedBy('reload', 'back_forward') ? Number(tabStore.read(STORAGE_KEY) ?? 0) : 0
  const end = stored > 0 ? stored : Date.now() + validSeconds() * 1000
  tabStore.write(STORAGE_KEY, String(end))
  return end
}

/** Seconds left of the external sign-in's code, from 300 to 0. Computed from the clock, so that it stays right after sleep. */
export function useExpiry(): number {
  const [end] = useState(expiresAt)
  return Math.max(0, Math.ceil((end - useNow(TICK_MS)) / 1000))
}

/** "4:07". */
export function formatClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
