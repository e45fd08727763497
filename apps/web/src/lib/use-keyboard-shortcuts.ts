import { useEffect, useEffectEvent } from 'react'

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
