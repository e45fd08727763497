import { createStore } from '../lib/store.ts'

interface Modal {
  panel: HTMLElement
  /** It is asked to close; one that is busy may stay. */
  onCloseRequest: () => void
}

/** The open modals, the topmost last. */
const useModals = createStore<readonly Modal[]>([])
let watcher: CloseWatcher | null = null

/** Asks the topmost modal to close. */
export const closeTopModal = (): void => useModals.getState().at(-1)?.onCloseRequest()

/** Only the topmost modal can be reached: not the page, which is drawn in #root, and not the modals below it. */
function fence(modals: readonly Modal[]): void {
  document.getElementById('root')?.toggleAttribute('inert', modals.length > 0)
  for (const { panel } of modals) panel.toggleAttribute('inert', panel !== modals.at(-1)?.panel)
}

/**
 * Android's Back closes the topmost modal, not the page behind it. One watcher for all: of several the browser closes those
 * that nobody's press opened by one request.
 */
function watch(): void {
  if (useModals.getState().length === 0) {
    watcher?.destroy()
    watcher = null
  } else if (window.CloseWatcher && !watcher) {
    watcher = new window.CloseWatcher()
    watcher.addEventListener('close', () => {
      // It is spent, whether or not the modal goes.
      watcher = null
      watch()
      closeTopModal()
    })
  }
}

function set(next: readonly Modal[]): void {
  fence(next)
  useModals.setState(next, true)
  watch()
}

/** Puts a modal's panel on top; it must be drawn outside #root. Answers how it leaves. */
export function enterModal(panel: HTMLElement, onCloseRequest: () => void): () => void {
  const modal = { panel, onCloseRequest }
  set([...useModals.getState(), modal])
  return () => set(useModals.getState().filter((one) => one !== modal))
}

/** The topmost modal's panel, where toasts belong: everything else is inert. Null for the page. */
export const useTopModal = (): HTMLElement | null => useModals((modals) => modals.at(-1)?.panel ?? null)
