import { useEffect, useState } from 'react'
import { useListen } from '../events.ts'
import { isReload } from '../is-reload.ts'
import { isAdmin, useUser } from '../session.ts'
import { tabStore } from '../storage.ts'
import { createStore } from '../store.ts'
import {
  hashOf,
  type Place,
  placeOf,
  scrollDelay,
  type SectionId,
  targetAfterPop,
  targetAtStart,
  type View,
  VIEW_CHANGE_MS,
} from './place.ts'
import { currentPosition, scrollToTarget, scrollToTop, sectionInView } from './scroll.ts'

const POSITION_KEY = 'place'

const currentPlace = (): Place => placeOf(window.location.hash)

const usePlace = createStore(currentPlace())
/** True once all lazy sections must render: the position of a scroll target depends on the heights above it. */
export const useNeedsAllSections = createStore(false)

/** The view to draw. Only administrators get the admin area. */
export function useView(): View {
  const { view } = usePlace()
  const isAllowed = isAdmin(useUser()) || view !== 'admin'
  return isAllowed ? view : 'public'
}

/** Stores the scroll position in the current history entry and adds another. */
function push(place: Place): void {
  history.replaceState(currentPosition(), '')
  history.pushState(null, '', hashOf(place) || window.location.pathname)
  usePlace.setState(place, true)
}

/** Shows a view from its top. */
export function goToView(view: View): void {
  if (view !== usePlace.getState().view) push({ view, section: null })
  scrollToTop()
}

/** Shows a section of the public page, from any view. */
export function goToSection(section: SectionId): void {
  const delay = scrollDelay(usePlace.getState().view)
  push({ view: 'public', section })
  useNeedsAllSections.setState(true, true)
  setTimeout(() => scrollToTarget({ section }, 'auto'), delay)
}

function onPop({ state }: PopStateEvent): void {
  const before = usePlace.getState()
  const after = currentPlace()
  usePlace.setState(after, true)
  if (after.view === 'public') useNeedsAllSections.setState(true, true)
  const target = targetAfterPop(before, after, state)
  if (target) setTimeout(() => scrollToTarget(target, 'instant'), VIEW_CHANGE_MS)
}

function scrollAtStart(): void {
  const target = targetAtStart(currentPlace(), isReload(), tabStore.readJson(POSITION_KEY))
  if (!target) return
  useNeedsAllSections.setState(true, true)
  setTimeout(() => scrollToTarget(target, 'instant'), scrollDelay('public'))
}

function storePosition(): void {
  if (window.scrollY > 0) tabStore.writeJson(POSITION_KEY, currentPosition())
  else tabStore.drop(POSITION_KEY)
}

/** Connects the window events and the browser's history with views and sections. Mounted once, by the shell. */
export function useNavigationEvents(): void {
  useListen('navigateToAdmin', () => goToView('admin'))
  useListen('navigateToDashboard', () => goToView('dashboard'))
  useListen('navigateToHome', () => goToView('public'))
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
