import { useMemo } from 'react'
import { useBrowserValue } from '../lib/store.ts'

const EVENTS = ['change']

/** Whether a media query matches now. */
export function useMediaQuery(query: string): boolean {
  const list = useMemo(() => window.matchMedia(query), [query])
  return useBrowserValue(list, EVENTS, () => list.matches)
}
