import type { SignInResult } from '@community/contract'
import { aSignIn, aUser } from '@community/testing'
import { TRPCClientError } from '@trpc/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { failureOf } from './failure.ts'
import {
  accessToken,
  clearSession,
  currentUser,
  freshToken,
  refreshSession,
  storeSession,
  storeUser,
  userOfEndedSession,
} from './session.ts'
import { browserStore } from './storage.ts'
import { useToasts } from './toasts.ts'
import { request, trpcClient } from './trpc.ts'

type Fetch = typeof fetch
const fetchMock = vi.fn<Fetch>()

const signedIn = (token: string): SignInResult => ({
  ...aSignIn({ name: 'Sara' }),
  token,
  refreshToken: `refresh-${token}`,
})
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock)
})
afterEach(() => {
  fetchMock.mockReset()
})

describe('request', () => {
  it.each([
    {
      what: 'a page in place of an answer',
      answer: new Response('<html>Bad gateway</html>', { status: 502 }),
      says: 'HTTP 502',
    },
    {
      what: 'words in place of JSON',
      answer: new Response('Upstream is asleep', { status: 503 }),
      says: 'Upstream is asleep',
    },
    { what: 'nothing at all', answer: new Response('', { status: 200 }), says: 'Invalid response format' },
    {
      what: 'an envelope from before tRPC',
      answer: json({ success: false, message: 'The request is too large' }, 413),
      says: 'The request is too large',
    },
  ])('says what came: $what', async ({ answer, says }) => {
    fetchMock.mockResolvedValueOnce(answer)
    await expect(request('/trpc/x')).rejects.toMatchObject({ kind: 'format', message: says })
  })

  it('reports a network error with the specified message', async () => {
    fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    await expect(request('/trpc/x')).rejects.toMatchObject({
      kind: 'network',
      message: 'Network error - please check your internet connection and ensure the backend server is running',
    })
  })

  it('times out after 10 seconds with the specified message', async () => {
    vi.useFakeTimers()
    fetchMock.mockImplementationOnce(
      (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
        }),
    )
    const answer = request('/trpc/x').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await answer).toMatchObject({
      kind: 'timeout',
      message: 'Request timeout - please check your connection and try again',
    })
  })
})

describe('failureOf', () => {
  it('reads the failure from a tRPC error', () => {
    const failure = { success: false, message: 'This team is full', code: 'TEAM_FULL', cooldown: 30 }
    const error = TRPCClientError.from({ error: { message: 'x', code: -32000, data: { failure } } } as never)
    expect(failureOf(error)).toMatchObject({
      kind: 'rejected',
      message: 'This team is full',
      code: 'TEAM_FULL',
      cooldown: 30,
      errors: [],
    })
  })
})

describe('session', () => {
  it('stores the expiry before the token, so that no other tab refreshes it again', async () => {
    storeSession(signedIn('new'))
    const keys = Object.keys(localStorage)
    expect(keys.indexOf('authTokenFreshUntil')).toBeLessThan(keys.indexOf('authToken'))
    expect(keys.indexOf('refreshToken')).toBeLessThan(keys.indexOf('authToken'))
  })

  it('refreshes once for concurrent calls', async () => {
    storeSession(signedIn('old'))
    fetchMock.mockImplementation(async () => json({ success: true, message: 'OK', data: signedIn('new') }))
    expect(await Promise.all([refreshSession(), refreshSession(), refreshSession()])).toEqual([true, true, true])
    expect(fetchMock).toHaveBeenCalledOnce()
    expect(accessToken()).toBe('new')
  })

  it('sends no request if another tab has replaced the token', async () => {
    storeSession(signedIn('new'))
    expect(await refreshSession('old')).toBe(true)
    expect(fetchMock).not.toHaveBeenCalled()
  })

  it('ends after a rejection, not after a network error', async () => {
    storeSession(signedIn('old'))
    fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    await expect(refreshSession()).rejects.toMatchObject({ kind: 'network' })
    expect(currentUser()?.name).toBe('Sara')
    fetchMock.mockResolvedValueOnce(json({ success: false, message: 'x', code: 'REFRESH_INVALID' }, 401))
    expect(await refreshSession()).toBe(false)
    expect(currentUser()).toBeNull()
    expect(accessToken()).toBeNull()
  })

  it('got no response if the connection breaks in its body', async () => {
    storeSession(signedIn('old'))
    const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError('network error')) })
    fetchMock.mockResolvedValueOnce(new Response(broken))
    await expect(refreshSession()).rejects.toMatchObject({ kind: 'network' })
  })

  it('survives an HTML response', async () => {
    storeSession(signedIn('old'))
    fetchMock.mockResolvedValueOnce(new Response('<!doctype html><h1>Free wifi</h1>'))
    fetchMock.mockResolvedValueOnce(json({ error: 'no envelope' }))
    expect(await refreshSession()).toBe(false)
    expect(await refreshSession()).toBe(false)
    expect(accessToken()).toBe('old')
  })

  it.each([400, 401, 403])('survives a %i that is not from the API', async (status) => {
    storeSession(signedIn('old'))
    fetchMock.mockResolvedValueOnce(new Response('<!doctype html><h1>Request blocked</h1>', { status }))
    fetchMock.mockResolvedValueOnce(json({ message: 'blocked' }, status))
    expect(await refreshSession()).toBe(false)
    expect(await refreshSession()).toBe(false)
    expect(accessToken()).toBe('old')
    expect(currentUser()?.name).toBe('Sara')
  })

  it.each([
    ['new tokens', json({ success: true, message: 'OK', data: signedIn('new') })],
    ['a rejection', json({ success: false, message: 'x', code: 'REFRESH_INVALID' }, 401)],
  ])('ignores %s for a session that is no longer the stored one', async (_what, response) => {
    const refreshWhile = async (change: () => void) => {
      storeSession(signedIn('old'))
      let answer = (_response: Response) => {}
      fetchMock.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)))
      const refreshed = refreshSession()
      await vi.waitFor(() => expect(fetchMock).toHaveBeenCalled())
      change()
      answer(response.clone())
      expect(await refreshed).toBe(false)
      fetchMock.mockReset()
    }
    await refreshWhile(clearSession)
    expect([accessToken(), currentUser()]).toEqual([null, null])
    await refreshWhile(() => storeSession({ ...aSignIn({ id: 'omar', name: 'Omar' }), token: 't', refreshToken: 'r' }))
    expect([accessToken(), currentUser()?.name]).toEqual(['t', 'Omar'])
  })

  it('ignores a late response about a user who is no longer signed in', () => {
    storeUser(aUser())
    expect(currentUser()).toBeNull()
    storeSession(signedIn('new'))
    storeUser(aUser({ id: 'omar', name: 'Omar' }))
    expect(currentUser()?.name).toBe('Sara')
  })

  it.each([
    ['endedSession', 'Your session has ended. Please sign in again.'],
    ['failedSession', 'The service had a problem, so you were signed out. Please sign in again.'],
  ])('knows whose session another tab has ended, and says why (%s)', (key, reason) => {
    storeSession(signedIn('old'))
    window.dispatchEvent(new StorageEvent('storage', { key, newValue: 'omar' }))
    expect(userOfEndedSession()).toBe('omar')
    expect(useToasts.getState().map(({ title }) => title)).toEqual([reason])
  })

  it('informs other tabs of an ended session before it is removed', async () => {
    storeSession(signedIn('old'))
    const written: (string | null)[] = []
    vi.spyOn(browserStore, 'write').mockImplementation((key) => {
      if (key === 'endedSession') written.push(currentUser()?.name ?? null)
    })
    fetchMock.mockResolvedValueOnce(json({ success: false, message: 'x', code: 'REFRESH_INVALID' }, 401))
    await refreshSession()
    expect(written).toEqual(['Sara'])
    expect(currentUser()).toBeNull()
  })

  it('refreshes a token that is about to expire before sending it', async () => {
    storeSession(signedIn('old'))
    localStorage.setItem('authTokenFreshUntil', '0')
    fetchMock.mockResolvedValueOnce(json({ success: true, message: 'OK', data: signedIn('new') }))
    expect(await freshToken()).toBe('new')
  })
})

describe('the tRPC client', () => {
  it('refreshes the session after a 401 and repeats the call once', async () => {
    storeSession(signedIn('old'))
    const rejected = {
      error: {
        message: 'expired',
        code: -32001,
        data: { httpStatus: 401, failure: { message: 'x', code: 'TOKEN_EXPIRED' } },
      },
    }
    const authorizations: (string | null)[] = []
    const languages = new Set<string | null>()
    document.documentElement.lang = 'ar'
    fetchMock.mockImplementation(async (url, init) => {
      languages.add(new Headers(init?.headers).get('accept-language'))
      if (url === '/api/auth/refresh') return json({ success: true, message: 'OK', data: signedIn('new') })
      const authorization = new Headers(init?.headers).get('authorization')
      authorizations.push(authorization)
      if (authorization === 'Bearer old') return json([rejected], 401)
      return json([{ result: { data: { user: aUser() } } }])
    })
    await expect(trpcClient.users.profile.query()).resolves.toEqual({ user: aUser() })
    expect(authorizations).toEqual(['Bearer old', 'Bearer new'])
    expect([...languages], 'The page’s, whatever the browser’s is').toEqual(['ar'])
  })
})
