/** The page counts as loaded once no request was sent or answered for this long. */
export const SETTLED_MS = 2500

export interface FirstView {
  /** Milliseconds since the navigation; undefined until the row is in the window. */
  row?: number
  lcp: number
  /** The largest session window of layout shifts, as web.dev defines CLS. */
  cls: number
  /** Milliseconds over 50 of each long task. */
  tbt: number
}

declare global {
  interface Window {
    firstView?: FirstView
  }
}

type ShiftEntry = PerformanceEntry & { value: number; hadRecentInput: boolean }

/** Runs in the page before its scripts: measures until the page is closed. `selector` finds what the link leads to. */
export function watchFirstView(selector: string): void {
  const view: FirstView = { lcp: 0, cls: 0, tbt: 0 }
  window.firstView = view
  const observe = (type: string, onEntry: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true })
  observe('largest-contentful-paint', ({ startTime }) => {
    view.lcp = startTime
  })
  observe('longtask', ({ duration }) => {
    view.tbt += Math.max(0, duration - 50)
  })
  let [sum, first, last] = [0, 0, 0]
  observe('layout-shift', (entry) => {
    const { startTime, value, hadRecentInput } = entry as ShiftEntry
    if (hadRecentInput) return
    const isNewWindow = startTime - last > 1000 || startTime - first > 5000
    if (isNewWindow) [sum, first] = [0, startTime]
    last = startTime
    sum += value
    view.cls = Math.max(view.cls, sum)
  })
  const isInWindow = (element: Element) => {
    const { top, bottom, height } = element.getBoundingClientRect()
    return height > 0 && top < window.innerHeight && bottom > 0
  }
  const look = () => {
    if ([...document.querySelectorAll(selector)].some(isInWindow)) view.row = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
