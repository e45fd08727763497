import { useSyncExternalStore } from 'react'
import { browserStore } from './storage.ts'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

const STORAGE_KEY = 'theme'
const PAPER = { light: '#FBF8F3', dark: '#0E1421' }
const listeners = new Set<() => void>()
const systemDark = window.matchMedia('(prefers-color-scheme: dark)')

function stored(): Theme {
  const value = browserStore.read(STORAGE_KEY)
  return THEMES.find((theme) => theme === value) ?? 'system'
}

let chosen = stored()

/** What is drawn: the choice, or what the system prefers. */
export function drawnTheme(theme: Theme = chosen): 'light' | 'dark' {
  if (theme !== 'system') return theme
  return systemDark.matches ? 'dark' : 'light'
}

function draw(): void {
  const theme = drawnTheme()
  document.documentElement.dataset['theme'] = theme
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PAPER[theme])
  for (const listener of listeners) listener()
}

systemDark.addEventListener('change', draw)

/** Chooses and remembers; 'system' follows the device from then on. */
export function setTheme(theme: Theme): void {
  chosen = theme
  browserStore.write(STORAGE_KEY, theme)
  draw()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The choice (`light`, `dark`, `system`) and what is drawn now. */
export function useTheme(): { theme: Theme; drawn: 'light' | 'dark' } {
  const theme = useSyncExternalStore(subscribe, () => chosen)
  const drawn = useSyncExternalStore(subscribe, () => drawnTheme())
  return { theme, drawn }
}
