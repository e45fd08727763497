import { useEffect } from 'react'

let holders = 0

/** Keeps the page behind from scrolling while mounted. Our own: the usual one injects a <style>, which our policy refuses. */
export function useScrollLock(): void {
  useEffect(() => {
    const page = document.documentElement
    if (holders === 0) page.style.setProperty('--scrollbar', `${window.innerWidth - page.clientWidth}px`)
    holders += 1
    page.dataset['scrollLock'] = ''
    return () => {
      holders -= 1
      if (holders === 0) delete page.dataset['scrollLock']
    }
  }, [])
}
