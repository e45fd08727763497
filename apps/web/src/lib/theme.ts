import { browserStore } from './storage.ts'
import { createSignal } from './store.ts'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

const STORAGE_KEY = 'theme'
const PAPER = { light: '#FBF8F3', dark: '#0E1421' }
const themeChange = createSignal()
const systemDark = window.matchMedia('(prefers-color-scheme: dark)')

function stored(): Theme {
  const value = browserStore.read(STORAGE_KEY)
  return THEMES.find((theme) => theme === value) ?? 'system'
}

let chosen = stored()
let drawn: 'light' | 'dark' = 'light'

/**
 * The system's preference. Only for what draws it afterwards: Chromium fires no `change` event if `matches` was read between the change and
 * the event.
 */
export const systemTheme = () => (systemDark.matches ? 'dark' : 'light')

/** Draws the choice, or the system's preference. */
function draw(): void {
  drawn = chosen === 'system' ? systemTheme() : chosen
  document.documentElement.dataset['theme'] = drawn
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', PAPER[drawn])
  themeChange.emit()
}

systemDark.addEventListener('change', draw)
// The system may have changed since boot.js drew, while the scripts loaded.
draw()

/** Stores the choice. */
export function setTheme(theme: Theme): void {
  chosen = theme
  browserStore.write(STORAGE_KEY, theme)
  draw()
}

/** The choice, and what is drawn now. */
export const useTheme = (): { theme: Theme; drawn: 'light' | 'dark' } => ({
  theme: themeChange.use(() => chosen),
  drawn: themeChange.use(() => drawn),
})
