import { useEffect, useState, useSyncExternalStore } from 'react'
import { useListen } from '../lib/events.ts'
import { isReload } from '../lib/is-reload.ts'
import { isAdmin, useUser } from '../lib/session.ts'
import { tabStore } from '../lib/storage.ts'
import { USER_SCROLL_EVENTS } from '../lib/user-scroll-events.ts'

/** The sections of the one page, in order, by their ids. */
export const SECTIONS = ['home', 'teams', 'challenges', 'works', 'leaderboard', 'contact'] as const
export type SectionId = (typeof SECTIONS)[number]
export type View = 'public' | 'dashboard' | 'admin'

/** How far above the fold a section counts as reached. */
const SPY_OFFSET_PX = 100
const SCROLL_DELAY_MS = 150
const SCROLL_DELAY_FROM_VIEW_MS = 300
/** While the parts above a target still load, it moves: it is followed this long. */
const FOLLOW_MS = 5000
/** How long a smooth scroll takes. */
const SMOOTH_SCROLL_MS = 500

const listeners = new Set<() => void>()
let allWanted = false

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function viewOf(hash: string): View {
  if (hash === '#dashboard') return 'dashboard'
  return hash === '#admin' ? 'admin' : 'public'
}

const currentView = (): View => viewOf(window.location.hash)

/** The section a hash leads to: '#challenge-…' is a card among the challenges. */
export function sectionOf(hash: string): SectionId | null {
  if (hash.startsWith('#challenge-')) return 'challenges'
  return SECTIONS.find((section) => hash === `#${section}`) ?? null
}

/** Which of the three views is shown. It lives in the hash, so that reload and the back button keep it; only an admin is shown the admin area. */
export function useView(): View {
  const view = useSyncExternalStore(subscribe, currentView)
  const isShown = isAdmin(useUser()) || view !== 'admin'
  return isShown ? view : 'public'
}

/** True once somebody wants to go where every section above must have its height. */
export const useAllWanted = (): boolean => useSyncExternalStore(subscribe, () => allWanted)

function wantAll(): void {
  allWanted = true
  notify()
}

const main = (): HTMLElement | null => document.getElementById('main')

/** "works 1928": the section the reader is in, and how much of it is above the window. A view without sections is told as one. */
function placeNow(): string {
  const section = sectionInView()
  const part = document.getElementById(section) ?? main()
  return `${section} ${-(part?.getBoundingClientRect().top ?? 0)}`
}

/** Leaves an address for another; the history keeps where on it the reader was. */
function leaveFor(address: string): void {
  history.replaceState(placeNow(), '')
  history.pushState(null, '', address)
}

/** Shows a view from its top. */
export function goToView(view: View): void {
  if (view !== currentView()) {
    leaveFor(view === 'public' ? window.location.pathname : `#${view}`)
    notify()
  }
  window.scrollTo({ top: 0, behavior: 'instant' })
  main()?.focus({ preventScroll: true })
}

/** Goes there again whenever one of these parts grows, for a while, until the reader moves by themself. */
function stayWhile(parts: Iterable<Element>, go: () => void): void {
  const follow = new ResizeObserver(go)
  const stop = () => {
    follow.disconnect()
    for (const move of USER_SCROLL_EVENTS) window.removeEventListener(move, stop)
  }
  for (const part of parts) follow.observe(part)
  for (const move of USER_SCROLL_EVENTS) window.addEventListener(move, stop, { passive: true, once: true })
  setTimeout(stop, FOLLOW_MS)
}

/** Scrolls to a section and stays with it while the page above it grows. */
function scrollToSection(section: SectionId, behavior: ScrollBehavior = 'auto'): void {
  const target = document.getElementById(section)
  if (!target) return
  target.scrollIntoView({ behavior, block: 'start' })
  target.focus({ preventScroll: true })
  let isLeft = false
  const leave = () => {
    isLeft = true
  }
  for (const move of USER_SCROLL_EVENTS) window.addEventListener(move, leave, { passive: true, once: true })
  // The observer reports once at its start: the smooth scroll must not be cut by that.
  setTimeout(() => {
    const sections = [...document.querySelectorAll('main > section')]
    if (!isLeft)
      stayWhile(sections.slice(0, sections.indexOf(target)), () =>
        target.scrollIntoView({ behavior: 'instant', block: 'start' }),
      )
  }, SMOOTH_SCROLL_MS)
}

/** Scrolls to where the reader was, as `placeNow` told it, and again while the page grows to its height. */
function scrollBack(place: string): void {
  const [section = '', above] = place.split(' ')
  const all = main()
  const part = document.getElementById(section) ?? all
  if (!all || !part) return
  const go = () => window.scrollBy({ top: part.getBoundingClientRect().top + Number(above), behavior: 'instant' })
  go()
  stayWhile([all], go)
}

/** Goes to a section of the public page, leaving the dashboard or admin view first. */
export function goToSection(section: SectionId): void {
  const delay = currentView() === 'public' ? SCROLL_DELAY_MS : SCROLL_DELAY_FROM_VIEW_MS
  const address = section === 'home' ? window.location.pathname : `#${section}`
  leaveFor(address)
  wantAll()
  setTimeout(() => scrollToSection(section), delay)
}

function useBackButton(): void {
  useEffect(() => {
    let view = currentView()
    const onPop = ({ state }: PopStateEvent) => {
      const before = view
      view = currentView()
      // Drawn one by one, the sections above a place would push it down.
      if (view === 'public') wantAll()
      else notify()
      const section = sectionOf(window.location.hash)
      if (view === before) return
      setTimeout(() => {
        if (typeof state === 'string') scrollBack(state)
        else if (section) scrollToSection(section, 'instant')
      }, SCROLL_DELAY_FROM_VIEW_MS)
    }
    // Own navigation pushes without an event; remember it too.
    const unsubscribe = subscribe(() => {
      view = currentView()
    })
    window.addEventListener('popstate', onPop)
    return () => {
      unsubscribe()
      window.removeEventListener('popstate', onPop)
    }
  }, [])
}

const SCROLL_KEY = 'place'

/** After a reload the reader is where they were; a link with a hash leads to its section. */
function useFirstPlace(): void {
  useEffect(() => {
    const kept = isReload() && tabStore.read(SCROLL_KEY)
    const section = sectionOf(window.location.hash)
    if (kept || section) wantAll()
    if (kept) setTimeout(() => scrollBack(kept), SCROLL_DELAY_FROM_VIEW_MS)
    else if (section) setTimeout(() => scrollToSection(section, 'instant'), SCROLL_DELAY_MS)
    const keep = () => tabStore.write(SCROLL_KEY, window.scrollY > 0 ? placeNow() : '')
    window.addEventListener('pagehide', keep)
    return () => window.removeEventListener('pagehide', keep)
  }, [])
}

/** Binds the window events, the hash and the back button to views and sections. Once, in the shell. */
export function useNavigationEvents(): void {
  useListen('navigateToAdmin', () => goToView('admin'))
  useListen('navigateToDashboard', () => goToView('dashboard'))
  useListen('navigateToHome', () => goToView('public'))
  useListen('navigateToChallenges', () => goToSection('challenges'))
  useListen('navigateToSection', (detail) => {
    const known = SECTIONS.find((id) => id === detail?.section)
    if (known) goToSection(known)
  })
  useBackButton()
  useFirstPlace()
}

function sectionInView(): SectionId {
  const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
  if (atEnd && window.scrollY > 0) return 'contact'
  const reached = SECTIONS.filter((section) => {
    const top = document.getElementById(section)?.getBoundingClientRect().top
    return top !== undefined && top <= SPY_OFFSET_PX
  })
  return reached.at(-1) ?? 'home'
}

/** The section the reader is in, by the scroll position; null outside the public page. */
export function useActiveSection(): SectionId | null {
  const view = useView()
  const [section, setSection] = useState<SectionId>('home')
  useEffect(() => {
    let frame = 0
    const look = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setSection(sectionInView()))
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', look)
    }
  }, [])
  return view === 'public' ? section : null
}
