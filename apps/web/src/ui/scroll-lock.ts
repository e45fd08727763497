import { useEffect } from 'react'

let holders = 0

/** Keeps the page behind from scrolling while mounted. Our own: the usual one injects a <style>, which our policy refuses. */
export function useScrollLock(): void {
  useEffect(() => {
    holders += 1
    document.documentElement.dataset['scrollLock'] = ''
    return () => {
      holders -= 1
      if (holders === 0) delete document.documentElement.dataset['scrollLock']
    }
  }, [])
}
