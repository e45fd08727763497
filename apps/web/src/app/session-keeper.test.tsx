import { aPagination, aTeamCard, aUser } from '@community/testing'
import { useQuery } from '@tanstack/react-query'
import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../test/fake-backend.ts'
import { stubPush } from '../../test/push-browser.ts'
import { signIn } from '../../test/sign-in.ts'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { listen } from '../lib/events.ts'
import { queryClient } from '../lib/query-client.ts'
import { clearSession, currentUser, endSession, storedRefreshToken } from '../lib/session.ts'
import { SIGN_IN_ADDRESS } from '../lib/sign-in-link.ts'
import { trpc } from '../lib/trpc.ts'
import { SessionKeeper } from './session-keeper.tsx'

const ENDED = 'Your session has ended. Please sign in again.'
const SERVICE_FAILED = 'The service had a problem, so you were signed out. Please sign in again.'

const keep = (handlers: Handlers) => {
  const backend = fakeBackend(handlers)
  signIn({ name: 'Sara' })
  renderWithProviders(<SessionKeeper />)
  return backend
}

const profileFails = () =>
  waitFor(() => expect(queryClient.getQueryCache().getAll()[0]?.state.status).toBe('error'), { timeout: 8000 })

const rejectWith = (code: string) => () => {
  throw appError(code, 'said by the server')
}

/** Answers the refresh by a status, or not at all, and every other call by a token that is over. */
function backendWithRefresh(status: number | null): () => number {
  let refreshes = 0
  const failure = { success: false, code: 'TOKEN_EXPIRED', message: 'x' }
  const error = { error: { message: 'x', code: -32001, data: { httpStatus: 401, failure } } }
  vi.stubGlobal('fetch', async (resource: RequestInfo | URL) => {
    const { pathname } = new URL(resource instanceof Request ? resource.url : resource, window.location.href)
    if (pathname !== '/api/auth/refresh') return Response.json([error])
    refreshes += 1
    if (status === null) throw new TypeError('Failed to fetch')
    return Response.json({ success: false, message: 'x', code: 'REFRESH_INVALID' }, { status })
  })
  return () => refreshes
}

describe('the stored user', () => {
  it('is fetched again', async () => {
    keep({ 'users.profile': () => ({ user: aUser({ name: 'Sara Amrani' }) }) })
    await waitFor(() => expect(currentUser()?.name).toBe('Sara Amrani'))
  })

  it.each([
    ['BANNED', ENDED],
    ['USER_MISSING', ENDED],
    ['NOT_FOUND', ENDED],
    ['UNAVAILABLE', SERVICE_FAILED],
    ['INTERNAL', SERVICE_FAILED],
    ['TOO_MANY_REQUESTS', SERVICE_FAILED],
  ])(
    'is removed when the server answers the first profile call with %s, and a toast says why',
    async (code, reason) => {
      keep({ 'users.profile': rejectWith(code) })
      await waitFor(() => expect(currentUser()).toBeNull())
      expect((await screen.findAllByText(reason)).length).toBeGreaterThan(0)
    },
  )

  it('is removed if the first profile is an HTML page', async () => {
    vi.stubGlobal('fetch', async () => new Response('<!doctype html><h1>Bad Gateway</h1>', { status: 502 }))
    signIn()
    renderWithProviders(<SessionKeeper />)
    await waitFor(() => expect(currentUser()).toBeNull())
    expect((await screen.findAllByText(SERVICE_FAILED)).length).toBeGreaterThan(0)
  })

  it('stays without a response', async () => {
    const { inputsOf } = keep({
      'users.profile': () => {
        throw new TypeError('Failed to fetch')
      },
    })
    await profileFails()
    expect(inputsOf('users.profile')).toHaveLength(3)
    expect(currentUser()?.name).toBe('Sara')
  }, 10_000)

  it('stays after the first profile until the server rejects the user', async () => {
    let code: string | null = null
    const { inputsOf } = keep({
      'users.profile': () => {
        if (code) throw appError(code, 'said by the server')
        return { user: aUser({ name: 'Sara' }) }
      },
    })
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    code = 'UNAVAILABLE'
    await act(() => queryClient.invalidateQueries())
    expect(inputsOf('users.profile')).toHaveLength(2)
    expect(currentUser()?.name).toBe('Sara')
    code = 'BANNED'
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => expect(currentUser()).toBeNull())
  })

  it('stays if the server is busy right after the sign-in', async () => {
    fakeBackend({ 'users.profile': rejectWith('UNAVAILABLE') })
    renderWithProviders(<SessionKeeper />)
    act(() => void signIn({ name: 'Sara' }))
    await profileFails()
    expect(currentUser()?.name).toBe('Sara')
  })

  it('is not overwritten by the profile of the previous user when another tab signs in', async () => {
    const sara = aUser({ name: 'Sara' })
    const omar = aUser({ id: 'omar', name: 'Omar' })
    let answerOmar = () => {}
    const { inputsOf } = keep({
      'users.profile': async () => {
        if (currentUser()?.id !== omar.id) return { user: sara }
        await new Promise<void>((resolve) => {
          answerOmar = resolve
        })
        return { user: { ...omar, name: 'Omar Idrissi' } }
      },
    })
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    act(() => void signIn(omar))
    await waitFor(() => expect(inputsOf('users.profile')).toHaveLength(2))
    expect(currentUser()?.name).toBe('Omar')
    answerOmar()
    await waitFor(() => expect(currentUser()?.name).toBe('Omar Idrissi'))
  })

  it('is removed with a toast when the refresh is rejected', async () => {
    backendWithRefresh(401)
    signIn()
    renderWithProviders(<SessionKeeper />)
    await waitFor(() => expect(currentUser()).toBeNull())
    expect((await screen.findAllByText(ENDED)).length).toBeGreaterThan(0)
  })

  it('is removed when the profile is rejected and the refresh fails', async () => {
    const refreshes = backendWithRefresh(503)
    signIn()
    renderWithProviders(<SessionKeeper />)
    await waitFor(() => expect(currentUser()).toBeNull())
    expect(refreshes()).toBe(1)
  })

  it('stays when the profile is rejected but the refresh gets no response', async () => {
    backendWithRefresh(null)
    signIn()
    localStorage.setItem('authTokenFreshUntil', '0')
    renderWithProviders(<SessionKeeper />)
    await profileFails()
    expect(storedRefreshToken()).not.toBeNull()
  }, 10_000)
})

describe('push messages', () => {
  it('stay for the signed-in user, and end with the session even if no sign-out reached the server', async () => {
    const { subscription } = stubPush()
    keep({ 'users.profile': () => ({ user: aUser() }) })
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(subscription.unsubscribe).not.toHaveBeenCalled()
    act(() => endSession(true))
    await waitFor(() => expect(subscription.unsubscribe).toHaveBeenCalledOnce())
  })

  it('end when the page opens without a session', async () => {
    const { subscription } = stubPush()
    fakeBackend({})
    renderWithProviders(<SessionKeeper />)
    await waitFor(() => expect(subscription.unsubscribe).toHaveBeenCalledOnce())
  })
})

it('opens the sign-in dialog for its hash and removes the hash', async () => {
  history.replaceState(null, '', SIGN_IN_ADDRESS)
  const asked = vi.fn<(detail: { mode: string }) => void>()
  const stop = listen('openAuthModal', asked)
  fakeBackend({})
  renderWithProviders(<SessionKeeper />)
  await waitFor(() => expect(asked).toHaveBeenCalledExactlyOnceWith({ mode: 'login' }))
  stop()
  expect(window.location.hash).toBe('')
})

describe('for another user', () => {
  function TeamName() {
    const { data } = useQuery(trpc.teams.list.queryOptions({}))
    return <p>{data?.teams[0]?.name ?? 'Loading'}</p>
  }

  /** Shows the name of a team. `respond` answers the oldest waiting request. */
  function showTeam() {
    const waiting: ((name: string) => void)[] = []
    fakeBackend({
      'users.profile': () => ({ user: aUser() }),
      'teams.list': async () => {
        const name = await new Promise<string>((resolve) => waiting.push(resolve))
        return { teams: [aTeamCard(1, name)], pagination: aPagination(1) }
      },
    })
    renderWithProviders(
      <>
        <SessionKeeper />
        <TeamName />
      </>,
    )
    const isWaiting = (count = 1) => waitFor(() => expect(waiting).toHaveLength(count))
    const respond = async (name: string) => {
      await waitFor(() => expect(waiting.length).toBeGreaterThan(0))
      waiting.shift()?.(name)
    }
    return { isWaiting, respond }
  }

  it('keeps what a visitor saw until the user’s data is there', async () => {
    const { isWaiting, respond } = showTeam()
    await respond('As a visitor')
    await screen.findByText('As a visitor')
    act(() => void signIn())
    await isWaiting()
    expect(screen.getByText('As a visitor')).toBeDefined()
    await respond('As a member')
    expect(await screen.findByText('As a member')).toBeDefined()
  })

  it('repeats a first request that is on its way as a visitor’s', async () => {
    const { isWaiting, respond } = showTeam()
    await isWaiting()
    act(() => void signIn())
    await isWaiting(2)
    await respond('As a visitor')
    await respond('As a member')
    expect(await screen.findByText('As a member')).toBeDefined()
  })

  it('removes the previous user’s data at once', async () => {
    signIn()
    const { isWaiting, respond } = showTeam()
    await respond('As Sara')
    await screen.findByText('As Sara')
    act(() => clearSession())
    expect(await screen.findByText('Loading')).toBeDefined()
    await isWaiting()
    await respond('As a visitor')
    expect(await screen.findByText('As a visitor')).toBeDefined()
  })
})
