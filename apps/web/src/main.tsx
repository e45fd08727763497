import './lib/zod-without-eval.ts'
import './styles/index.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { activateLanguage, currentLanguage } from './lib/i18n.ts'
import { importInBackground, isLoadingInBackground } from './lib/lazy-with-retry.tsx'

const RELOADED_AT_KEY = 'reloadedForScriptsAt'
/** Milliseconds between reloads for missing scripts; longer than the slowest page load, because it may fail again. */
const RELOAD_INTERVAL_MS = 10 * 60_000
/** The longest wait for the server's answer before a reload, in ms. */
const REACHABLE_MS = 3000

/** Whether the last reload for missing scripts is long enough ago. Stores this one. */
function beginReload(): boolean {
  try {
    const storage = window.sessionStorage
    if (Date.now() - Number(storage.getItem(RELOADED_AT_KEY)) < RELOAD_INTERVAL_MS) return false
    storage.setItem(RELOADED_AT_KEY, String(Date.now()))
    return true
  } catch {
    // Without the storage the page could reload for ever.
    return false
  }
}

/** Reloads the page if the server delivers it: on a dead connection, the browser's own error page would replace everything. */
async function reloadIfReachable(): Promise<void> {
  const controller = new AbortController()
  const giveUp = () => controller.abort()
  setTimeout(giveUp, REACHABLE_MS)
  // The reload would discard what is typed meanwhile. The next lost script tries again.
  window.addEventListener('input', giveUp)
  const response = await fetch('/', { cache: 'no-store', signal: controller.signal }).catch(() => null)
  if (response?.ok && beginReload()) window.location.reload()
}

// After a release the old page's scripts are gone, and only a reload gets the new ones: once, and not while offline.
window.addEventListener('vite:preloadError', () => {
  if (navigator.onLine && !isLoadingInBackground()) void reloadIfReachable()
})

// For the few who need it: the first load has no room to spare.
const forced = window.matchMedia('(forced-colors: active)')
const drawInForcedColors = () => {
  if (forced.matches) void import('./styles/forced-colors.css')
}
forced.addEventListener('change', drawInForcedColors)
drawInForcedColors()

/** Activates the page's language, or English if its catalog does not load. */
const activatePageLanguage = () => activateLanguage(currentLanguage()).catch(() => activateLanguage('en'))

/** The longest wait for the headline's font, in ms. */
const FONT_MS = 500

/** Loads the headline's font, which boot.js has requested: arriving later, it would rewrap the headline. */
const loadHeadlineFont = () =>
  Promise.race([
    // Blocked or missing, a font costs only the typeface.
    document.fonts
      .load('700 1em "Bricolage Grotesque", "Reem Kufi"', currentLanguage() === 'ar' ? 'ع' : 'A')
      .catch(() => {}),
    new Promise((resolve) => setTimeout(resolve, FONT_MS)),
  ])

// The loading screen of index.html stays until both are there.
async function start(root: HTMLElement): Promise<void> {
  const [isAvailable] = await Promise.all([window.availability ?? true, activatePageLanguage().then(loadHeadlineFont)])
  createRoot(root).render(<App isAvailable={isAvailable} />)
}

/** Milliseconds after the load: nothing of the first view waits for what others change. */
const LIVE_AFTER_MS = 5000

async function followChanges(): Promise<void> {
  const later = await importInBackground(() => import('./app/later.ts'))
  if (later) later.startLive()
  else setTimeout(() => void followChanges(), 12 * LIVE_AFTER_MS)
}
window.addEventListener('load', () => setTimeout(() => void followChanges(), LIVE_AFTER_MS))

const root = document.getElementById('root')
if (root) start(root).catch(() => window.showStartError?.())
