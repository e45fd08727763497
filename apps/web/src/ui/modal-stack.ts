import { flushSync } from 'react-dom'
import { createStore } from '../lib/store.ts'

interface Modal {
  dialog: HTMLDialogElement
  onCloseRequest: () => void
}

/** The open modals, the topmost last. */
const useModals = createStore<readonly Modal[]>([])
let watcher: CloseWatcher | undefined

const topOf = (modals: readonly Modal[]): HTMLDialogElement | null => modals.at(-1)?.dialog ?? null
export const topModal = (): HTMLDialogElement | null => topOf(useModals.getState())

const closeTopModal = (): void => useModals.getState().at(-1)?.onCloseRequest()

/** Escape in a toast closes that toast instead, in an open menu the menu, and in an input method what is being composed. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return
  const target = event.target instanceof Element ? event.target : null
  if (target?.closest('[role=menu]')) return
  // Also in a toast: Chromium would pass the key on to the close watcher.
  event.preventDefault()
  if (!target?.closest('.toast')) closeTopModal()
}

/**
 * Android's Back closes the topmost modal and does not leave the page. The dialogs' own close watchers cannot do this: the
 * browser lets a busy dialog refuse only once, and closes dialogs that opened without a press together.
 */
function watchCloseRequests(): void {
  watcher?.destroy()
  watcher = undefined
  if (!window.CloseWatcher || useModals.getState().length === 0) return
  watcher = new window.CloseWatcher()
  watcher.addEventListener('close', () => {
    // A watcher works once, whether or not the modal closes.
    watchCloseRequests()
    // Menus have no close watcher of their own, and open inside the dialog of their button.
    const menu = topModal()?.querySelector('[role=menu]')
    if (menu) menu.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
    else closeTopModal()
  })
}

/**
 * Closes all modals, as Back and Forward change the view behind them, down to one that stays open: a busy one, or one that asks
 * first.
 */
function closeModals(): void {
  for (let top = topModal(); top !== null; top = topModal()) {
    flushSync(closeTopModal)
    if (useModals.getState().some(({ dialog }) => dialog === top)) return
  }
}

/** Keeps the page behind from scrolling, without a jump where the scrollbar was. */
function lockScroll(isLocked: boolean): void {
  const page = document.documentElement
  if (isLocked === page.hasAttribute('data-scroll-lock')) return
  page.style.setProperty('--scrollbar', `${window.innerWidth - page.clientWidth}px`)
  page.toggleAttribute('data-scroll-lock', isLocked)
}

function set(modals: readonly Modal[]): void {
  useModals.setState(modals, true)
  lockScroll(modals.length > 0)
  watchCloseRequests()
  if (modals.length > 0) {
    document.addEventListener('keydown', onKeyDown)
    window.addEventListener('popstate', closeModals)
  } else {
    document.removeEventListener('keydown', onKeyDown)
    window.removeEventListener('popstate', closeModals)
  }
}

/** Puts a dialog on top of the modals. Returns a function that removes it. */
export function enterModal(dialog: HTMLDialogElement, onCloseRequest: () => void): () => void {
  const modal = { dialog, onCloseRequest }
  set([...useModals.getState(), modal])
  return () => set(useModals.getState().filter((one) => one !== modal))
}

/** The topmost dialog, or null: what is drawn outside it is inert. */
export const useTopModal = (): HTMLDialogElement | null => useModals(topOf)
