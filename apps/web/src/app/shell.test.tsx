import { aPagination, aUser } from '@community/testing'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { signIn } from '../../test/sign-in.ts'
import { emit, listen } from '../lib/events.ts'
import { goToView } from '../lib/navigation/navigation.ts'
import { queryClient } from '../lib/query-client.ts'
import { currentUser } from '../lib/session.ts'
import { App } from './app.tsx'

const answer = (name: string) => {
  if (name === 'users.profile') return { result: { data: { user: currentUser() ?? aUser() } } }
  if (name === 'notifications.list') return { result: { data: { notifications: [], unread: 3, nextCursor: null } } }
  return name === 'teams.list'
    ? { result: { data: { teams: [], pagination: aPagination(0) } } }
    : {
        error: {
          message: 'away',
          code: -32603,
          data: { httpStatus: 503, failure: { message: 'away', code: 'UNAVAILABLE', errors: [] } },
        },
      }
}

const backend: typeof fetch = async (input) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input, window.location.href)
  const names = decodeURIComponent(pathname.replace('/trpc/', '')).split(',')
  return new Response(JSON.stringify(names.map(answer)), { headers: { 'content-type': 'application/json' } })
}

beforeEach(() => {
  vi.stubGlobal('fetch', backend)
})
describe('the shell', () => {
  it('has the sections by their ids, contact labelled Community', async () => {
    render(<App isAvailable />)
    expect([...document.querySelectorAll('main > section')].map(({ id }) => id)).toEqual([
      'home',
      'teams',
      'challenges',
      'works',
      'leaderboard',
      'contact',
    ])
    const nav = screen.getByRole('navigation', { name: 'Sections' })
    expect([...nav.querySelectorAll('a')].at(-1)?.textContent).toBe('Community')
  })

  it.each([
    ['Get Started Free', 'register'],
    ['Sign In', 'login'],
  ])('opens the auth modal by its event for %s', async (name, mode) => {
    render(<App isAvailable />)
    const modes: string[] = []
    const stop = listen('openAuthModal', (detail) => modes.push(detail.mode))
    await userEvent.click(screen.getAllByRole('button', { name })[0] ?? document.body)
    stop()
    expect(modes).toEqual([mode])
  })

  it('hides Get Started Free and Sign In from a member', () => {
    signIn({ name: 'Sara' })
    render(<App isAvailable />)
    expect(screen.queryByRole('button', { name: 'Get Started Free' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Sign Up' })).toBeNull()
  })

  it('marks the account button busy while signing out', async () => {
    signIn({ name: 'Sara' })
    vi.stubGlobal('fetch', (input: RequestInfo | URL) =>
      `${input instanceof Request ? input.url : input}`.includes('auth.logout')
        ? new Promise(() => {})
        : backend(input),
    )
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({ matches: query === '(min-width: 70rem)', addEventListener() {}, removeEventListener() {} }) as never,
    )
    render(<App isAvailable />)
    const account = () => screen.findByRole('button', { name: 'Account of Sara' })
    expect((await account()).getAttribute('aria-busy')).toBeNull()
    await userEvent.click(await account())
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign Out' }))
    expect((await account()).getAttribute('aria-busy')).toBe('true')
  })

  it('switches to the dashboard and back by the back button', async () => {
    render(<App isAvailable />)
    act(() => emit('navigateToDashboard'))
    expect(window.location.hash).toBe('#dashboard')
    expect(document.getElementById('home')).toBeNull()
    history.replaceState(null, '', '/')
    act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
    expect(document.getElementById('home')).not.toBeNull()
  })

  it('stores the scroll position for a reload at the top too, unless the URL has no section', () => {
    render(<App isAvailable />)
    const positionAfterLeaving = () => {
      window.dispatchEvent(new Event('pagehide'))
      return sessionStorage.getItem('scrollPosition')
    }
    expect(positionAfterLeaving()).toBeNull()
    act(() => emit('navigateToChallenges'))
    expect(window.location.hash).toBe('#challenges')
    expect(positionAfterLeaving()).toContain('"offset":0')
  })

  it('shows the number of unread notifications in the title, to members only', async () => {
    const { unmount } = render(<App isAvailable />)
    expect(document.title).toMatch(/^[A-Z]/)
    const name = document.title
    unmount()
    signIn({ name: 'Sara' })
    render(<App isAvailable />)
    await waitFor(() => expect(document.title).toBe(`(3) ${name}`))
  })

  it('names the view in the title, and shows that its script loads', async () => {
    render(<App isAvailable />)
    const name = document.title
    act(() => goToView('privacy'))
    expect(document.title).toBe(`Privacy – ${name}`)
    expect(screen.getByRole('main').textContent).toBe('Loading...')
    act(() => emit('navigateToChallenges'))
    expect(document.title).toBe(name)
  })

  it('shows the admin view to admins only', async () => {
    signIn({ name: 'Sara' })
    const { unmount } = render(<App isAvailable />)
    act(() => emit('navigateToAdmin'))
    expect(window.location.hash).toBe('#admin')
    expect(document.getElementById('home')).not.toBeNull()
    // The public page, with the active section.
    expect(screen.getByRole('link', { name: 'Home' }).getAttribute('aria-current')).toBe('true')
    unmount()
    queryClient.clear()
    signIn({ role: 'admin' })
    render(<App isAvailable />)
    expect(document.getElementById('home')).toBeNull()
  })

  it('changes its direction for Arabic without a reload', async () => {
    render(<App isAvailable />)
    await userEvent.selectOptions(screen.getAllByLabelText('Language')[0] ?? document.body, 'ar')
    await waitFor(() => expect(document.documentElement.dir).toBe('rtl'))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('كوّنوا فريقكم. خوضوا التحدّي. تصدّروا الترتيب.')
    expect(localStorage.getItem('language')).toBe('ar')
  })

  it('shows when the backend or the network is unavailable', async () => {
    render(<App isAvailable={false} />)
    // Sections that fail to load show alerts too.
    const banner = await screen.findByText(/The service is unavailable right now\./)
    expect(banner.closest('[role=alert]')).not.toBeNull()
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    act(() => void window.dispatchEvent(new Event('offline')))
    expect(screen.getByText(/You are offline/)).toBeDefined()
    vi.restoreAllMocks()
  })

  it('asks again whether the backend is available on Try Again, without a reload', async () => {
    let status = 503
    const fetched = vi.spyOn(window, 'fetch').mockImplementation((url) => {
      if (url !== '/api/health') return new Promise(() => {})
      return Promise.resolve(new Response('{}', { status }))
    })
    render(<App isAvailable={false} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
    await waitFor(() => expect(fetched).toHaveBeenCalledWith('/api/health', expect.anything()))
    expect(screen.getByRole('alert').textContent).toContain('The service is unavailable right now.')
    status = 200
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await waitFor(() => expect(screen.queryByText(/The service is unavailable right now/)).toBeNull())
  })
})
