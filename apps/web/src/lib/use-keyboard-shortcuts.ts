import { useEffect, useRef } from 'react'

/** Elements in which letters are typed. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text')

/** Runs a function per `KeyboardEvent.code`: by the key's position, so that they work on Arabic keyboards, or by its letter. */
export function useKeyboardShortcuts(shortcuts: Record<string, () => void>, isEnabled: boolean): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isEnabled || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const run = latest.current[event.code] ?? latest.current[`Key${event.key.toUpperCase()}`]
      if (!run) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [isEnabled])
}
