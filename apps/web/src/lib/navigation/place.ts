/** The sections of the page in order, by id. */
export const SECTIONS = ['home', 'teams', 'challenges', 'works', 'leaderboard', 'contact'] as const
export type SectionId = (typeof SECTIONS)[number]
export type View = 'public' | 'dashboard' | 'admin'

/** Where a hash leads. A hash that names no section is the page itself. */
export interface Place {
  view: View
  section: SectionId | null
}

const CHALLENGE_PREFIX = '#challenge-'

/** The challenge that a hash links to, `#challenge-{id}`; null for any other hash. */
export const challengeIdOf = (hash: string): string | null =>
  hash.startsWith(CHALLENGE_PREFIX) ? hash.slice(CHALLENGE_PREFIX.length) : null

/** `#challenge-…` names a card in the section of the challenges. */
export function placeOf(hash: string): Place {
  if (hash === '#dashboard' || hash === '#admin')
    return { view: hash === '#admin' ? 'admin' : 'dashboard', section: null }
  const id = challengeIdOf(hash) !== null ? 'challenges' : hash.slice(1)
  return { view: 'public', section: SECTIONS.find((section) => section === id) ?? null }
}

/** The hash of a place; empty for the top of the page. */
export function hashOf({ view, section }: Place): string {
  if (view !== 'public') return `#${view}`
  return section === null || section === 'home' ? '' : `#${section}`
}

/** A scroll position that survives a change of the heights above it. History entries and reloads keep it. */
export interface ScrollPosition {
  /** In a view without sections it counts from the top of the view. */
  section: SectionId
  /** Pixels between the top of the section and the top of the window. */
  offset: number
}

/** Reads a position from `history.state` or the storage, where other versions and scripts write too. */
export function parsePosition(value: unknown): ScrollPosition | null {
  if (typeof value !== 'object' || value === null || !('section' in value) || !('offset' in value)) return null
  const section = SECTIONS.find((one) => one === value.section)
  return section && typeof value.offset === 'number' ? { section, offset: value.offset } : null
}

/** A position to return to, or a section to show from its top. */
export type ScrollTarget = ScrollPosition | { section: SectionId }

/** The scroll target after Back or Forward; null within one view, where the browser restores the position. */
export function targetAfterPop(before: Place, after: Place, state: unknown): ScrollTarget | null {
  if (before.view === after.view) return null
  return parsePosition(state) ?? targetOf(after)
}

/** What to scroll to when the page loads; `stored` only counts after a reload. */
export function targetAtStart(place: Place, isReload: boolean, stored: unknown): ScrollTarget | null {
  return (isReload ? parsePosition(stored) : null) ?? targetOf(place)
}

const targetOf = ({ section }: Place): ScrollTarget | null => section && { section }

/** Milliseconds before a scroll after a change of views: the other view must be drawn first. */
export const VIEW_CHANGE_MS = 300

/** Milliseconds before the scroll to a section, as specified. */
export const scrollDelay = (from: View): number => (from === 'public' ? 150 : VIEW_CHANGE_MS)

/** A section counts as reached once its top is this close to the top of the window, in pixels. */
const REACHED_PX = 100

/** The section that is read: the last one reached, by the sections' tops in pixels from the top of the window. */
export function activeSection(tops: Partial<Record<SectionId, number>>, isAtEnd: boolean): SectionId {
  if (isAtEnd) return 'contact'
  return SECTIONS.findLast((section) => (tops[section] ?? Number.POSITIVE_INFINITY) <= REACHED_PX) ?? 'home'
}
