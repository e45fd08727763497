import { onUserScroll } from '../user-scroll-events.ts'
import { activeSection, type ScrollPosition, type ScrollTarget, SECTIONS, type SectionId } from './route.ts'

/** While parts above a target load, the target moves: scroll to it again for this long. */
const FOLLOW_MS = 8000
/** Longer than a smooth scroll takes. */
const SMOOTH_SCROLL_MS = 500

const main = (): HTMLElement | null => document.getElementById('main')
const topOf = (element: Element | null): number => element?.getBoundingClientRect().top ?? 0

export function sectionInView(): SectionId {
  const tops: Partial<Record<SectionId, number>> = {}
  for (const id of SECTIONS) {
    const element = document.getElementById(id)
    if (element) tops[id] = topOf(element)
  }
  const { scrollHeight } = document.documentElement
  return activeSection(tops, window.scrollY > 0 && window.innerHeight + window.scrollY >= scrollHeight - 2)
}

export function currentPosition(): ScrollPosition {
  const section = sectionInView()
  return { section, offset: -topOf(document.getElementById(section) ?? main()) }
}

/** Ends the scrolling to a target that moves. */
let stopFollowing = () => {}

/** Calls `stop` once the user scrolls or goes elsewhere, at the latest before the next scrolling. */
function followUntil(stop: () => void): void {
  const stopListening = onUserScroll(() => stopFollowing())
  stopFollowing = () => {
    stopListening()
    stop()
  }
}

export function scrollToTop(): void {
  stopFollowing()
  window.scrollTo({ top: 0, behavior: 'instant' })
  main()?.focus({ preventScroll: true })
}

/** Whether the browser keeps what is read in its place while content above it grows. Safari does not. */
const hasScrollAnchoring = (): boolean => CSS.supports('overflow-anchor', 'auto')

/** Calls `scroll` whenever one of these elements changes its size, until the user scrolls or goes elsewhere. */
function scrollWhileResizing(elements: Iterable<Element>, scroll: () => void): void {
  let frame = 0
  const scrollInNextFrame = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(scroll)
  }
  // A frame after the browser: its own correction is no layout shift, ours in the same frame would be one.
  const observer = new ResizeObserver(hasScrollAnchoring() ? scrollInNextFrame : scroll)
  for (const element of elements) observer.observe(element)
  const timer = setTimeout(() => stopFollowing(), FOLLOW_MS)
  followUntil(() => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    clearTimeout(timer)
  })
}

function scrollToSection(section: SectionId, behavior: ScrollBehavior): void {
  const target = document.getElementById(section)
  if (!target) return
  const scroll = (how: ScrollBehavior) => target.scrollIntoView({ behavior: how, block: 'start' })
  scroll(behavior)
  target.focus({ preventScroll: true })
  // An observer reports once when it starts, which would cut the smooth scroll.
  const timer = setTimeout(() => {
    stopFollowing()
    const sections = [...document.querySelectorAll('main > section')]
    scrollWhileResizing(sections.slice(0, sections.indexOf(target)), () => scroll('instant'))
  }, SMOOTH_SCROLL_MS)
  followUntil(() => clearTimeout(timer))
}

function restorePosition({ section, offset }: ScrollPosition): void {
  const start = document.getElementById(section) ?? main()
  if (!start) return
  const scroll = () => {
    // Another view may have replaced the section.
    if (start.isConnected) window.scrollBy({ top: topOf(start) + offset, behavior: 'instant' })
  }
  scroll()
  // With the footer: near the end of the page the position cannot be reached before it is rendered.
  scrollWhileResizing([document.body], scroll)
}

/** Scrolls to a target and stays there while the page above it grows. `behavior` concerns sections only. */
export function scrollToTarget(target: ScrollTarget, behavior: ScrollBehavior): void {
  stopFollowing()
  if ('offset' in target) restorePosition(target)
  else scrollToSection(target.section, behavior)
}
