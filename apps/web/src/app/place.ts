import { useEffect, useState, useSyncExternalStore } from 'react'
import { useListen } from '../lib/events.ts'
import { isReload } from '../lib/is-reload.ts'
import { isAdmin, useUser } from '../lib/session.ts'
import { tabStore } from '../lib/storage.ts'
import { READER_MOVES } from '../lib/reader-moves.ts'

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

/** Shows a view from its top. */
export function goToView(view: View): void {
  if (view !== currentView()) {
    history.pushState(null, '', view === 'public' ? window.location.pathname : `#${view}`)
    notify()
  }
  window.scrollTo({ top: 0, behavior: 'instant' })
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** Goes there again whenever one of these parts grows, for a while, until the reader moves by themself. */
function stayWhile(parts: Iterable<Element>, go: () => void): void {
  const follow = new ResizeObserver(go)
  const stop = () => {
    follow.disconnect()
    for (const move of READER_MOVES) window.removeEventListener(move, stop)
  }
  for (const part of parts) follow.observe(part)
  for (const move of READER_MOVES) window.addEventListener(move, stop, { passive: true, once: true })
  setTimeout(stop, FOLLOW_MS)
}

const sectionsOnPage = (): Element[] => [...document.querySelectorAll('main > section')]

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
  for (const move of READER_MOVES) window.addEventListener(move, leave, { passive: true, once: true })
  // The observer reports once at its start: the smooth scroll must not be cut by that.
  setTimeout(() => {
    const sections = sectionsOnPage()
    if (!isLeft)
      stayWhile(sections.slice(0, sections.indexOf(target)), () =>
        target.scrollIntoView({ behavior: 'instant', block: 'start' }),
      )
  }, SMOOTH_SCROLL_MS)
}

/** Scrolls to where the reader was before a reload, and again while the page grows to its height. */
function scrollBack(top: number): void {
  const go = () => window.scrollTo({ top, behavior: 'instant' })
  go()
  stayWhile(sectionsOnPage(), go)
}

/** Goes to a section of the public page, leaving the dashboard or admin view first. */
export function goToSection(section: SectionId): void {
  const delay = currentView() === 'public' ? SCROLL_DELAY_MS : SCROLL_DELAY_FROM_VIEW_MS
  const address = section === 'home' ? window.location.pathname : `#${section}`
  history.pushState(null, '', address)
  wantAll()
  setTimeout(() => scrollToSection(section), delay)
}

function useBackButton(): void {
  useEffect(() => {
    let view = currentView()
    const onPop = () => {
      const cameFromView = view !== 'public'
      view = currentView()
      notify()
      const section = sectionOf(window.location.hash)
      if (view === 'public' && cameFromView && section) {
        setTimeout(() => scrollToSection(section, 'instant'), SCROLL_DELAY_FROM_VIEW_MS)
      }
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

const SCROLL_KEY = 'scroll'

/** After a reload the reader is where they were; a link with a hash leads to its section. */
function useFirstPlace(): void {
  useEffect(() => {
    const kept = isReload() ? Number(tabStore.read(SCROLL_KEY) ?? 0) : 0
    const section = sectionOf(window.location.hash)
    if (kept > 0 || section) wantAll()
    if (kept > 0) setTimeout(() => scrollBack(kept), SCROLL_DELAY_FROM_VIEW_MS)
    else if (section) setTimeout(() => scrollToSection(section, 'instant'), SCROLL_DELAY_MS)
    const keep = () => tabStore.write(SCROLL_KEY, String(window.scrollY))
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
  useListen('navigateToSection', ({ section }) => {
    const known = SECTIONS.find((id) => id === section)
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
