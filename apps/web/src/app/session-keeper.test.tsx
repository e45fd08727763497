import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Answers, fakeBackend, refusal } from '../../test/fake-backend.ts'
import { profile, signIn } from '../../test/people.ts'
import { renderPart } from '../../test/render-part.tsx'
import { listen } from '../lib/events.ts'
import { queryClient } from '../lib/query-client.ts'
import { clearSession, currentUser } from '../lib/session.ts'
import { SIGN_IN_ADDRESS } from '../lib/sign-in-link.ts'
import { toast } from '../lib/toasts.ts'
import { SessionKeeper } from './session-keeper.tsx'

afterEach(() => {
  clearSession()
  toast.clear()
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

const keep = (answers: Answers) => {
  const backend = fakeBackend(answers)
  signIn({ name: 'Sara' })
  renderPart(<SessionKeeper />)
  return backend
}

const refusing = (code: string) => () => {
  throw refusal(code, 'said by the server')
}

/** Answers the refresh by a status, and every other call by a token that is over. */
function backendWithRefresh(status: number): () => number {
  let refreshes = 0
  const failure = { success: false, code: 'TOKEN_EXPIRED', message: 'x' }
  const error = { error: { message: 'x', code: -32001, data: { httpStatus: 401, failure } } }
  vi.stubGlobal('fetch', async (resource: RequestInfo | URL) => {
    const { pathname } = new URL(resource instanceof Request ? resource.url : resource, window.location.href)
    if (pathname !== '/api/auth/refresh') return Response.json([error])
    refreshes += 1
    return Response.json({ success: false, message: 'x' }, { status })
  })
  return () => refreshes
}

describe('the stored person', () => {
  it('is fetched anew', async () => {
    keep({ 'users.profile': () => ({ user: profile({ name: 'Sara Amrani' }) }) })
    await waitFor(() => expect(currentUser()?.name).toBe('Sara Amrani'))
  })

  it.each(['BANNED', 'USER_MISSING', 'NOT_FOUND'])('is forgotten when the server refuses: %s', async (code) => {
    keep({ 'users.profile': refusing(code) })
    await waitFor(() => expect(currentUser()).toBeNull())
  })

  it.each(['UNAVAILABLE', 'INTERNAL', 'TOO_MANY_REQUESTS'])(
    'stays while the server is busy or away: %s',
    async (code) => {
      const { inputsOf } = keep({ 'users.profile': refusing(code) })
      await waitFor(() => expect(inputsOf('users.profile')).toHaveLength(1))
      await act(() => Promise.resolve())
      expect(currentUser()?.name).toBe('Sara')
    },
  )

  it('is not overwritten by the one before them, whose place they took in another tab', async () => {
    const sara = profile({ name: 'Sara' })
    const omar = profile({ id: 'omar', name: 'Omar' })
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

  it('is forgotten, with a word, when the refresh is refused', async () => {
    backendWithRefresh(401)
    signIn()
    renderPart(<SessionKeeper />)
    await waitFor(() => expect(currentUser()).toBeNull())
    expect((await screen.findAllByText('Your session has ended. Please sign in again.')).length).toBeGreaterThan(0)
  })

  it('stays when the refresh gets no answer', async () => {
    const refreshes = backendWithRefresh(503)
    signIn()
    renderPart(<SessionKeeper />)
    await waitFor(() => expect(refreshes()).toBe(1))
    await act(() => Promise.resolve())
    expect(currentUser()).not.toBeNull()
  })
})

it('opens the sign-in for whoever comes by its address, and tidies that', async () => {
  history.replaceState(null, '', SIGN_IN_ADDRESS)
  const asked = vi.fn<(detail: { mode: string }) => void>()
  const stop = listen('openAuthModal', asked)
  fakeBackend({})
  renderPart(<SessionKeeper />)
  await waitFor(() => expect(asked).toHaveBeenCalledExactlyOnceWith({ mode: 'login' }))
  stop()
  expect(window.location.hash).toBe('')
})
