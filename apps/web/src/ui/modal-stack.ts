import { useSyncExternalStore } from 'react'

/** The panels of the open modals, the topmost last. */
let panels: readonly HTMLElement[] = []
const listeners = new Set<() => void>()

/** Only the topmost modal can be reached: not the page, which is drawn in #root, and not the modals below it. */
function fence(): void {
  document.getElementById('root')?.toggleAttribute('inert', panels.length > 0)
  for (const panel of panels) panel.toggleAttribute('inert', panel !== panels.at(-1))
}

function set(next: readonly HTMLElement[]): void {
  panels = next
  fence()
  for (const listener of listeners) listener()
}

/** Puts a modal's panel on top; it must be drawn outside #root. Answers how it leaves. */
export function enterModal(panel: HTMLElement): () => void {
  set([...panels, panel])
  return () => set(panels.filter((one) => one !== panel))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The topmost modal's panel, where toasts belong: everything else is inert. Null for the page. */
export const useTopModal = (): HTMLElement | null => useSyncExternalStore(subscribe, () => panels.at(-1) ?? null)
