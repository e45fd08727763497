import { useEffect, useEffectEvent, useState } from 'react'
import { browserStore } from './storage.ts'

/** Elements in which letters are typed. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text')

/** Runs a function per `KeyboardEvent.code`: by the key's position, so that they work on Arabic keyboards, or by its letter. */
export function useKeyboardShortcuts(shortcuts: Record<string, () => void>, isEnabled: boolean): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isEnabled || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const run = shortcuts[event.code] ?? shortcuts[`Key${event.key.toUpperCase()}`]
    if (!run) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

/**
 * Whether shortcuts are on, and a function that switches them: speech input may trigger single letters by accident (WCAG 2.1.4). `offKey`
 * is stored while they are off.
 */
export function useShortcutSwitch(offKey: string): [areOn: boolean, toggle: () => void] {
  const [areOn, setOn] = useState(() => browserStore.read(offKey) === null)
  const toggle = () => {
    if (areOn) browserStore.write(offKey, 'yes')
    else browserStore.remove(offKey)
    setOn(!areOn)
  }
  return [areOn, toggle]
}
