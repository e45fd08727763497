import { useSyncExternalStore } from 'react'

// A modal dialog makes the rest of the page inert, so toasts move into the topmost open one.
let hosts: readonly HTMLElement[] = []
const listeners = new Set<() => void>()

function set(next: readonly HTMLElement[]): void {
  hosts = next
  for (const listener of listeners) listener()
}

/** A ref callback: toasts are drawn inside this element while it is mounted. */
export function toastHostRef(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined
  set([...hosts, element])
  return () => set(hosts.filter((host) => host !== element))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// A toast is the top layer, and would take Escape from the dialog it is drawn in.
const handedOn = new WeakSet<Event>()

/** Leaves an Escape that reached a toast to the dialog below it. */
export function handOnToDialog(event: KeyboardEvent): void {
  event.preventDefault()
  handedOn.add(event)
}

/** Is this an Escape that a toast left to its dialog? */
export const isHandedOn = (event: KeyboardEvent): boolean => handedOn.has(event)

/** Where toasts belong now: the topmost dialog, or null for the page. */
export const useToastHost = (): HTMLElement | null => useSyncExternalStore(subscribe, () => hosts.at(-1) ?? null)
