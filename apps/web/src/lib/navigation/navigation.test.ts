import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { signIn } from '../../../test/sign-in.ts'
import { emit } from '../events.ts'
import { tabStore } from '../storage.ts'
import { storePositionOfLink, useLinkedItem } from './linked-item.ts'
import {
  consumeHash,
  currentHash,
  goToHash,
  goToSection,
  goToView,
  useNavigationEvents,
  useRenderedSections,
  useView,
} from './navigation.ts'

const scrolledTo = vi.fn<(id: string) => void>()

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML =
    '<main id="main" tabindex="-1"><section id="home"></section><section id="works" tabindex="-1"></section></main>'
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolledTo(this.id)
  })
})
afterEach(() => {
  scrolledTo.mockReset()
  document.body.innerHTML = ''
})

const view = () => renderHook(() => useView()).result.current

describe('goToView', () => {
  it('shows the view, adds its hash to the history and focuses the page', () => {
    const entries = history.length
    act(() => goToView('dashboard'))
    expect([view(), window.location.hash, currentHash()]).toEqual(['dashboard', '#dashboard', '#dashboard'])
    expect(history.length).toBe(entries + 1)
    expect(document.activeElement?.id).toBe('main')
  })

  it('adds no second history entry for the view that is shown', () => {
    act(() => goToView('dashboard'))
    const entries = history.length
    act(() => goToView('dashboard'))
    expect(history.length).toBe(entries)
  })

  it('stores the position of the page that is left', () => {
    const replaced = vi.spyOn(history, 'replaceState')
    act(() => goToView('dashboard'))
    // Without a layout every section begins at the top, so the last one is in view.
    expect(replaced).toHaveBeenCalledWith({ section: 'works', offset: expect.any(Number) }, '')
  })

  it('shows the admin area to administrators only', () => {
    act(() => goToView('admin'))
    expect(view()).toBe('public')
    act(() => void signIn({ role: 'admin' }))
    expect(view()).toBe('admin')
  })
})

describe('goToSection', () => {
  it.each([
    ['the public page', 150, () => {}],
    ['another view', 300, () => goToView('dashboard')],
  ])('scrolls from %s after %i ms, with all sections rendered', (_from, delay, leave) => {
    act(leave)
    act(() => goToSection('works'))
    expect([view(), window.location.hash, useRenderedSections.getState()]).toEqual(['public', '#works', 'all'])
    vi.advanceTimersByTime(delay - 1)
    expect(scrolledTo).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(scrolledTo).toHaveBeenCalledWith('works')
    expect(document.activeElement?.id).toBe('works')
  })
})

it('adds no second history entry for the section in the URL, and scrolls to it again', () => {
  act(() => goToSection('works'))
  const entries = history.length
  act(() => goToSection('works'))
  vi.runOnlyPendingTimers()
  expect(history.length).toBe(entries)
  expect(scrolledTo).toHaveBeenCalledTimes(2)
})

describe('goToHash', () => {
  it('opens the view or the section that the hash names', () => {
    act(() => goToHash('#dashboard'))
    expect(view()).toBe('dashboard')
    act(() => goToHash('#works'))
    expect([view(), window.location.hash]).toEqual(['public', '#works'])
  })

  it('returns to the preferences that a link in a mail opened, with its token', () => {
    const hash = '#email-preferences-a.b_c'
    act(() => goToHash(hash))
    expect([view(), window.location.hash, currentHash()]).toEqual(['email-preferences', hash, hash])
  })

  it('returns to a linked challenge, which is followed again', () => {
    document.body.innerHTML = '<main id="main"><section id="challenges"></section></main>'
    const linked = renderHook(() => useLinkedItem('challenge'))
    act(() => goToHash('#challenge-7'))
    expect([view(), window.location.hash, currentHash()]).toEqual(['public', '#challenge-7', '#challenge-7'])
    expect(linked.result.current).toEqual({ kind: 'challenge', id: '7' })
  })

  it('returns to the section in view, not to a linked challenge that was left', () => {
    history.replaceState(null, '', '/#challenge-7')
    expect(currentHash()).toBe('#works')
  })

  it('stays where it is for a hash that names none', () => {
    const entries = history.length
    act(() => goToHash('#sign-in'))
    expect([view(), history.length]).toEqual(['public', entries])
  })
})

describe('useLinkedItem', () => {
  const linkTo = (hash: string) => history.replaceState(null, '', hash)

  it.each([
    ['challenge', '#team-7'],
    ['team', '#challenge-7'],
  ] as const)('of a %s ignores %s', (kind, hash) => {
    linkTo(hash)
    expect(renderHook(() => useLinkedItem(kind)).result.current).toBeNull()
  })

  it('does not follow a link again after a reload or a return to its page', () => {
    linkTo('#team-7')
    const { result } = renderHook(() => useLinkedItem('team'))
    expect(result.current).toEqual({ kind: 'team', id: '7' })
    storePositionOfLink({ kind: 'team', id: '7' })
    expect(renderHook(() => useLinkedItem('team')).result.current).toBeNull()
  })

  it('does not follow the link that Back within the page returns to', () => {
    linkTo('#team-7')
    storePositionOfLink({ kind: 'team', id: '7' })
    const { state } = history
    const { result } = renderHook(() => useLinkedItem('team'))
    act(() => goToHash('#team-8'))
    expect(result.current).toEqual({ kind: 'team', id: '8' })
    history.replaceState(state, '', '#team-7')
    act(() => void window.dispatchEvent(new HashChangeEvent('hashchange')))
    expect(result.current).toEqual({ kind: 'team', id: '8' })
  })

  it('does not mark another page that the user went to meanwhile', () => {
    linkTo('#works')
    storePositionOfLink({ kind: 'team', id: '7' })
    expect(history.state).toBeNull()
  })
})

describe('consumeHash', () => {
  it('removes the hash it finds, and no other', () => {
    history.replaceState(null, '', '/#sign-in')
    expect(consumeHash('#works')).toBe(false)
    expect(window.location.hash).toBe('#sign-in')
    expect(consumeHash('#sign-in')).toBe(true)
    expect(window.location.hash).toBe('')
  })
})

describe('useNavigationEvents', () => {
  const pop = (hash: string, state: unknown) => {
    history.replaceState(state, '', `/${hash}`)
    window.dispatchEvent(new PopStateEvent('popstate', { state }))
  }

  it('follows the events that the specification names', () => {
    renderHook(() => useNavigationEvents())
    act(() => emit('navigateToDashboard'))
    expect(window.location.hash).toBe('#dashboard')
    act(() => emit('navigateToChallenges'))
    expect(window.location.hash).toBe('#challenges')
    act(() => emit('navigateToAdmin'))
    expect(window.location.hash).toBe('#admin')
  })

  it('returns by Back to the stored position', () => {
    renderHook(() => useNavigationEvents())
    const scrollBy = vi.spyOn(window, 'scrollBy').mockImplementation(() => {})
    act(() => goToView('dashboard'))
    act(() => pop('', { section: 'works', offset: 40 }))
    expect(view()).toBe('public')
    vi.runAllTimers()
    expect(scrollBy).toHaveBeenCalledWith({ top: 40, behavior: 'instant' })
  })

  it('stores the position for a reload, and forgets it at the top of the page', () => {
    renderHook(() => useNavigationEvents())
    act(() => goToSection('works'))
    window.dispatchEvent(new Event('pagehide'))
    expect(tabStore.readJson('scrollPosition')).toEqual({ section: expect.any(String), offset: expect.any(Number) })
    act(() => pop('', null))
    window.dispatchEvent(new Event('pagehide'))
    expect(tabStore.readJson('scrollPosition')).toBeNull()
  })
})
