import { useEffect, useState } from 'react'
import { useListen } from '../events.ts'
import { isReload } from '../is-reload.ts'
import { isAdmin, useUser } from '../session.ts'
import { tabStore } from '../storage.ts'
import { createStore } from '../store.ts'
import {
  getInitialTarget,
  getPopstateTarget,
  formatHash,
  type Route,
  parseHash,
  scrollDelay,
  type SectionId,
  type View,
  VIEW_CHANGE_MS,
} from './route.ts'
import { currentPosition, scrollToTarget, scrollToTop, sectionInView } from './scroll.ts'

const POSITION_KEY = 'scrollPosition'

const currentRoute = (): Route => parseHash(window.location.hash)

const useRoute = createStore(currentRoute())
/** What the page scrolls to when it opens. */
const initialTarget = getInitialTarget(currentRoute(), isReload(), tabStore.readJson(POSITION_KEY))
// Only a reload and the history within the page restore positions: on a return from another site, links are followed again.
if (!isReload()) history.replaceState(null, '')

/**
 * 'near': sections near the viewport. 'all': the position of a scroll target depends on the heights above it. When the page opens
 * at a section: that one alone, then also those below it, then all. Heights that change above and below in the same frame would
 * count as a layout shift. `isRestored`: at a position in it, after a reload.
 */
type RenderedSections = 'near' | 'all' | { initial: SectionId; isRestored: boolean; isBelowRendered: boolean }

/** Which lazy sections render. */
export const useRenderedSections = createStore<RenderedSections>(
  currentRoute().view === 'public' && initialTarget && initialTarget.section !== 'home'
    ? { initial: initialTarget.section, isRestored: 'offset' in initialTarget, isBelowRendered: false }
    : 'near',
)

/** Whether other sections wait for the one that the page opens at. */
export const useIsInitialSectionLoading = (): boolean => typeof useRenderedSections() === 'object'

/** Renders the next sections, once those before have their data. */
export const renderMoreSections = (): void =>
  useRenderedSections.setState(
    (rendered) =>
      typeof rendered === 'object' && !rendered.isBelowRendered ? { ...rendered, isBelowRendered: true } : 'all',
    true,
  )

const renderAllSections = (): void => useRenderedSections.setState('all', true)

/** Whether the URL has this hash, which it removes: for hashes that trigger something once. */
export function consumeHash(hash: string): boolean {
  if (window.location.hash !== hash) return false
  history.replaceState(null, '', window.location.pathname)
  return true
}

/** The view to draw. Only administrators get the admin area. */
export function useView(): View {
  const { view } = useRoute()
  const isAllowed = isAdmin(useUser()) || view !== 'admin'
  return isAllowed ? view : 'public'
}

/** Stores the scroll position in the current history entry and adds another. An entry with the same hash would make Back seem dead. */
function push(route: Route, hash = formatHash(route)): void {
  if (hash === window.location.hash) {
    history.replaceState(null, '')
  } else {
    history.replaceState(currentPosition(), '')
    history.pushState(null, '', hash || window.location.pathname)
  }
  useRoute.setState(route, true)
}

/** Shows another view than the page with the sections, from its top. */
export function goToView(view: Exclude<View, 'public'>, hash?: string): void {
  if (view !== useRoute.getState().view) push({ view, section: null }, hash)
  // Nothing else ends the wait for a section that is no longer drawn.
  renderAllSections()
  scrollToTop()
}

/** Shows a section of the public page, from any view. */
export function goToSection(section: SectionId, hash?: string): void {
  const delay = scrollDelay(useRoute.getState().view)
  push({ view: 'public', section }, hash)
  renderAllSections()
  setTimeout(() => scrollToTarget({ section }, 'auto'), delay)
}

/** The hash of what is shown, to return to with `goToHash`. */
export function currentHash(): string {
  const { hash } = window.location
  const { view } = useRoute.getState()
  const section = view === 'public' ? sectionInView() : null
  const linked = parseHash(hash)
  // A linked challenge or team and the token of a mailed link are stored nowhere else.
  return linked.view === view && linked.section === section ? hash : formatHash({ view, section })
}

/** Shows the view or the section of a hash; a hash that names none is the page itself. */
export function goToHash(hash: string): void {
  const { view, section } = parseHash(hash)
  if (view !== 'public') goToView(view, hash)
  else if (section) {
    goToSection(section, hash)
    // `pushState` fires none, and a section that is rendered already would miss its linked challenge or team.
    window.dispatchEvent(new HashChangeEvent('hashchange'))
  }
}

function onPop({ state }: PopStateEvent): void {
  const before = useRoute.getState()
  const after = currentRoute()
  useRoute.setState(after, true)
  if (after.view === 'public') renderAllSections()
  const target = getPopstateTarget(before, after, state)
  if (target) setTimeout(() => scrollToTarget(target, 'instant'), VIEW_CHANGE_MS)
}

/** The longest wait for the section that the page opens at, in ms. */
const INITIAL_SECTION_TIMEOUT_MS = 8000

function scrollAtStart(): void {
  if (!initialTarget) return
  setTimeout(() => scrollToTarget(initialTarget, 'instant'), scrollDelay('public'))
  setTimeout(renderAllSections, INITIAL_SECTION_TIMEOUT_MS)
}

function storePosition(): void {
  // At the top of a page without a section in its hash, a reload needs no position.
  if (window.scrollY > 0 || useRoute.getState().section !== null) tabStore.writeJson(POSITION_KEY, currentPosition())
  else tabStore.remove(POSITION_KEY)
}

/** Connects the window events and the browser's history with views and sections. Mounted once, by the shell. */
export function useNavigationEvents(): void {
  useListen('navigateToAdmin', () => goToView('admin'))
  useListen('navigateToDashboard', () => goToView('dashboard'))
  useListen('navigateToChallenges', () => goToSection('challenges'))
  useEffect(() => {
    scrollAtStart()
    window.addEventListener('popstate', onPop)
    window.addEventListener('pagehide', storePosition)
    return () => {
      window.removeEventListener('popstate', onPop)
      window.removeEventListener('pagehide', storePosition)
    }
  }, [])
}

/** The section in view, for the highlight in the header; null in other views. */
export function useActiveSection(): SectionId | null {
  const view = useView()
  const [section, setSection] = useState<SectionId>('home')
  useEffect(() => {
    let frame = 0
    const update = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => setSection(sectionInView()))
    }
    update()
    window.addEventListener('scroll', update, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', update)
    }
  }, [])
  return view === 'public' ? section : null
}
