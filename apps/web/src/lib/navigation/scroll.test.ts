import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentPosition, scrollToTarget, scrollToTop, sectionInView } from './scroll.ts'

/** The tops of the sections, in pixels below the viewport's. */
const tops: Record<string, number> = {}
const scrollIntoView = vi.fn<(id: string, behavior: string) => void>()
let resize = () => {}
const observed: string[] = []

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = `<main id="main" tabindex="-1">${['home', 'teams', 'works']
    .map((id) => `<section id="${id}" tabindex="-1"></section>`)
    .join('')}</main>`
  Object.assign(tops, { main: -250, home: -250, teams: -150, works: 300 })
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, tops[this.id] ?? 0, 0, 0)
  })
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element, options) {
    scrollIntoView(this.id, String((options as ScrollIntoViewOptions).behavior))
  })
  vi.stubGlobal('CSS', { supports: () => false })
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        resize = callback
      }
      observe = (element: Element) => void observed.push(element.id || element.localName)
      disconnect = () => {
        resize = () => {}
      }
    },
  )
})
afterEach(() => {
  observed.length = 0
  scrollIntoView.mockReset()
  document.body.innerHTML = ''
})

describe('the position', () => {
  it('is the section in view and the pixels scrolled past its top', () => {
    expect(sectionInView()).toBe('teams')
    expect(currentPosition()).toEqual({ section: 'teams', offset: 150 })
  })
})

describe('scrollToTop', () => {
  it('scrolls at once and focuses the page', () => {
    const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => {})
    scrollToTop()
    expect(scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'instant' })
    expect(document.activeElement?.id).toBe('main')
  })

  it('ends the scrolling to a target', () => {
    vi.spyOn(window, 'scrollTo').mockImplementation(() => {})
    const scrollBy = vi.spyOn(window, 'scrollBy').mockImplementation(() => {})
    scrollToTarget({ section: 'works', offset: 40 }, 'instant')
    scrollToTop()
    resize()
    expect(scrollBy).toHaveBeenCalledOnce()
    scrollToTarget({ section: 'works' }, 'auto')
    observed.length = 0
    scrollToTop()
    vi.advanceTimersByTime(500)
    expect(observed).toEqual([])
  })
})

describe('scrollToTarget', () => {
  it('scrolls to a section, and again while sections above it grow', () => {
    scrollToTarget({ section: 'works' }, 'auto')
    expect(scrollIntoView.mock.calls).toEqual([['works', 'auto']])
    expect(document.activeElement?.id).toBe('works')
    vi.advanceTimersByTime(500)
    expect(observed).toEqual(['home', 'teams'])
    resize()
    expect(scrollIntoView).toHaveBeenLastCalledWith('works', 'instant')
  })

  it.each(['wheel', 'touchstart', 'keydown', 'popstate'])('stops following after %s', (event) => {
    scrollToTarget({ section: 'works' }, 'auto')
    vi.advanceTimersByTime(500)
    window.dispatchEvent(new Event(event))
    resize()
    expect(scrollIntoView).toHaveBeenCalledOnce()
  })

  it('stops following after 8 seconds', () => {
    scrollToTarget({ section: 'works' }, 'auto')
    vi.advanceTimersByTime(8500)
    resize()
    expect(scrollIntoView).toHaveBeenCalledOnce()
  })

  it('does not follow if the user scrolls during the smooth scroll', () => {
    scrollToTarget({ section: 'works' }, 'auto')
    window.dispatchEvent(new Event('wheel'))
    vi.advanceTimersByTime(500)
    expect(observed).toEqual([])
  })

  it('restores a position in a section, and again while the page and its footer grow', () => {
    const scrollBy = vi.spyOn(window, 'scrollBy').mockImplementation(() => {})
    scrollToTarget({ section: 'works', offset: 40 }, 'instant')
    expect(scrollBy).toHaveBeenLastCalledWith({ top: 340, behavior: 'instant' })
    expect(observed).toEqual(['body'])
    tops['works'] = 500
    resize()
    expect(scrollBy).toHaveBeenLastCalledWith({ top: 540, behavior: 'instant' })
  })
})
