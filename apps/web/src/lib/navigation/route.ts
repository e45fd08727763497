/** The sections of the page in order, by id. */
export const SECTIONS = ['home', 'teams', 'challenges', 'works', 'leaderboard', 'contact'] as const
export type SectionId = (typeof SECTIONS)[number]
/** The views besides the page with the sections; each is its hash. */
const VIEWS = ['dashboard', 'notifications', 'admin', 'privacy', 'terms', 'email-preferences'] as const
export type View = 'public' | (typeof VIEWS)[number]

/** The view and section of a URL hash. `section` is null if the hash names none. */
export interface Route {
  view: View
  section: SectionId | null
}

/** What a hash links to, by the section that shows it. */
const LINKED_SECTIONS = { challenge: 'challenges', team: 'teams' } as const

/** A challenge or a team that a hash links to. */
export interface LinkedItem {
  kind: keyof typeof LINKED_SECTIONS
  id: string
}

/** The challenge of `#challenge-{id}` or the team of `#team-{id}`; null for any other hash. */
export function parseLinkedItem(hash: string): LinkedItem | null {
  const [, kind, id] = /^#(challenge|team)-(.*)$/.exec(hash) ?? []
  return (kind === 'challenge' || kind === 'team') && id !== undefined ? { kind, id } : null
}

/** The hash that links to a challenge or a team. */
export const formatLinkedItem = ({ kind, id }: LinkedItem): string => `#${kind}-${id}`

const PREFERENCES_PREFIX = '#email-preferences-'

/** The token of a link to preferences in a mail, `#email-preferences-{token}`; null for any other hash. */
export const linkTokenOf = (hash: string): string | null =>
  hash.startsWith(PREFERENCES_PREFIX) ? hash.slice(PREFERENCES_PREFIX.length) : null

/** The view and section for a hash; a link to a challenge or a team maps to their section. */
export function parseHash(hash: string): Route {
  const view = VIEWS.find((name) => hash === `#${name}`)
  if (view) return { view, section: null }
  if (linkTokenOf(hash) !== null) return { view: 'email-preferences', section: null }
  const linked = parseLinkedItem(hash)
  const id = linked ? LINKED_SECTIONS[linked.kind] : hash.slice(1)
  return { view: 'public', section: SECTIONS.find((section) => section === id) ?? null }
}

/** The hash of a route; empty for the top of the page. */
export function formatHash({ view, section }: Route): string {
  if (view !== 'public') return `#${view}`
  return section === null || section === 'home' ? '' : `#${section}`
}

/**
 * A scroll position relative to a section, so it stays correct when content above changes height. History entries and reloads keep it.
 */
export interface ScrollPosition {
  /** In a view without sections it counts from the top of the view. */
  section: SectionId
  /** Pixels between the top of the section and the top of the window. */
  offset: number
}

/** Reads a position from `history.state` or the storage, where other versions and scripts write too. */
export function parsePosition(value: unknown): ScrollPosition | null {
  if (typeof value !== 'object' || value === null || !('section' in value) || !('offset' in value)) return null
  const section = SECTIONS.find((id) => id === value.section)
  return section && typeof value.offset === 'number' ? { section, offset: value.offset } : null
}

/** A position to return to, or a section to show from its top. */
export type ScrollTarget = ScrollPosition | { section: SectionId }

/** The scroll target after Back or Forward; null within one view, where the browser restores the position. */
export function getPopstateTarget(before: Route, after: Route, state: unknown): ScrollTarget | null {
  if (before.view === after.view) return null
  return parsePosition(state) ?? getSectionTarget(after)
}

/** What to scroll to when the page loads; `stored` only counts after a reload. */
export function getInitialTarget(route: Route, isReload: boolean, stored: unknown): ScrollTarget | null {
  return (isReload ? parsePosition(stored) : null) ?? getSectionTarget(route)
}

const getSectionTarget = ({ section }: Route): ScrollTarget | null => section && { section }

/** Milliseconds before a scroll after a change of views: the other view must be drawn first. */
export const VIEW_CHANGE_MS = 300

/** Milliseconds before the scroll to a section, as specified. */
export const scrollDelay = (from: View): number => (from === 'public' ? 150 : VIEW_CHANGE_MS)

/** A section counts as reached once its top is this close to the top of the window, in pixels. */
const REACHED_PX = 100

/**
 * The section to highlight in the header: the last one scrolled to, or `contact` at the bottom of the page. `tops` are px from the viewport
 * top.
 */
export function activeSection(tops: Partial<Record<SectionId, number>>, isAtPageBottom: boolean): SectionId {
  if (isAtPageBottom) return 'contact'
  return SECTIONS.findLast((section) => (tops[section] ?? Number.POSITIVE_INFINITY) <= REACHED_PX) ?? 'home'
}
