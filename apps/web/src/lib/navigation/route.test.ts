import { describe, expect, it } from 'vitest'
import {
  activeSection,
  getInitialTarget,
  getPopstateTarget,
  linkTokenOf,
  formatHash,
  formatLinkedItem,
  parseLinkedItem,
  parsePosition,
  type Route,
  parseHash,
  SECTIONS,
  scrollDelay,
} from './route.ts'

const pageTop: Route = { view: 'public', section: null }
const dashboard: Route = { view: 'dashboard', section: null }
const works: Route = { view: 'public', section: 'works' }
const position = { section: 'works', offset: 150 } as const

describe('a hash', () => {
  it('names a section, a view, a challenge or a team', () => {
    expect(parseHash('#works')).toEqual(works)
    expect(parseHash('#dashboard')).toEqual(dashboard)
    expect(parseHash('#admin')).toEqual({ view: 'admin', section: null })
    expect(parseHash('#privacy')).toEqual({ view: 'privacy', section: null })
    expect(parseHash('#challenge-0198')).toEqual({ view: 'public', section: 'challenges' })
    expect(parseHash('#team-0198')).toEqual({ view: 'public', section: 'teams' })
  })

  it('has the token of a link to preferences', () => {
    expect(parseHash('#email-preferences-x_Y')).toEqual({ view: 'email-preferences', section: null })
    expect(linkTokenOf('#email-preferences-x_Y')).toBe('x_Y')
    expect(linkTokenOf('#dashboard')).toBeNull()
  })

  it.each(['challenge', 'team'] as const)('links to a %s', (kind) => {
    const item = { kind, id: '0198' }
    expect(parseLinkedItem(formatLinkedItem(item))).toEqual(item)
    expect(parseLinkedItem(`#${kind}s`)).toBeNull()
  })

  it.each(['', '#', '#sign-in', '#Works', '#dashboard2', '#toString'])(
    'leads to the top of the page if it is "%s"',
    (hash) => expect(parseHash(hash)).toEqual(pageTop),
  )

  it('of a section, the top or the dashboard is parsed to the same route', () => {
    const sections = SECTIONS.map((section): Route => ({ view: 'public', section }))
    for (const route of [...sections, pageTop, dashboard]) {
      const isTop = route.view === 'public' && (route.section ?? 'home') === 'home'
      expect(parseHash(formatHash(route))).toEqual(isTop ? pageTop : route)
    }
  })
})

describe('a stored position', () => {
  it('is read back from JSON', () => expect(parsePosition(JSON.parse(JSON.stringify(position)))).toEqual(position))

  it.each([
    null,
    'works 150',
    {},
    { section: 'works' },
    { section: 'blog', offset: 1 },
    { section: 'works', offset: '1' },
  ])('is ignored if it is %j', (value) => expect(parsePosition(value)).toBeNull())
})

describe('Back and Forward', () => {
  it('return to the stored position of another view, else to the section of the hash', () => {
    expect(getPopstateTarget(dashboard, pageTop, position)).toEqual(position)
    expect(getPopstateTarget(dashboard, works, null)).toEqual({ section: 'works' })
    expect(getPopstateTarget(dashboard, pageTop, null)).toBeNull()
  })

  it('leave scrolling to the browser within a view', () =>
    expect(getPopstateTarget(pageTop, works, position)).toBeNull())
})

describe('a page load', () => {
  it('restores the position after a reload, and follows the hash of a link', () => {
    expect(getInitialTarget(works, true, position)).toEqual(position)
    expect(getInitialTarget(works, false, position)).toEqual({ section: 'works' })
    expect(getInitialTarget(works, true, null)).toEqual({ section: 'works' })
    expect(getInitialTarget(dashboard, false, position)).toBeNull()
  })
})

it('scrolls to a section after 150 ms, from another view after 300 ms', () => {
  expect([scrollDelay('public'), scrollDelay('dashboard'), scrollDelay('admin')]).toEqual([150, 300, 300])
})

describe('the active section', () => {
  it('is the last one that starts at most 100 px below the top of the window', () => {
    expect(activeSection({ home: -900, teams: 100, challenges: 800 }, false)).toBe('teams')
    expect(activeSection({ home: -900, teams: 101, challenges: 800 }, false)).toBe('home')
    expect(activeSection({}, false)).toBe('home')
  })

  it('is the last section at the end of the page', () => expect(activeSection({ home: 0 }, true)).toBe('contact'))
})
