import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeBackend } from '../../test/fake-backend.ts'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { signIn } from '../../test/sign-in.ts'
import { trackOpenedDialogs } from '../../test/track-opened-dialogs.ts'
import { Dialogs } from '../app/dialogs.tsx'
import type { OpenDialog, SignInIntent } from './dialogs.ts'
import { goToView, useNavigationEvents } from './navigation/navigation.ts'
import { storeSignInReturn } from './sign-in-return.ts'
import { useSignInLink } from './sign-in-link.ts'

const INTENT: SignInIntent = { name: 'apply', challengeId: '7' }

function PageWithLink() {
  useNavigationEvents()
  useSignInLink()
  return <Dialogs />
}

beforeEach(() => {
  fakeBackend({})
})
/** Leaves the notifications for the external provider, and opens the page with this hash; returns the dialogs that open. */
function returnFromProvider(hash: string, intent?: SignInIntent): OpenDialog[] {
  act(() => goToView('notifications'))
  storeSignInReturn(intent)
  // The page starts anew.
  act(() => goToView('privacy'))
  history.replaceState(null, '', `/${hash}`)
  const opened = trackOpenedDialogs()
  renderWithProviders(<PageWithLink />)
  return opened
}

describe('after an external sign-in', () => {
  it('continues where it began', async () => {
    signIn()
    const opened = returnFromProvider('', INTENT)
    await waitFor(() => expect(opened).toEqual([INTENT]))
    expect(window.location.hash).toBe('#notifications')
  })

  it('takes administrators to their area', async () => {
    signIn({ role: 'admin' })
    const opened = returnFromProvider('', INTENT)
    await waitFor(() => expect(window.location.hash).toBe('#admin'))
    expect(opened).toEqual([])
  })

  it('reopens what an administrator did when the session ended', async () => {
    const { id } = signIn({ role: 'admin' })
    const intent: SignInIntent = { name: 'createChallenge', userId: id }
    const opened = returnFromProvider('', intent)
    await waitFor(() => expect(opened).toEqual([intent]))
    expect(window.location.hash).toBe('#admin')
  })

  it.each(['#sign-in', '#external-sign-in-failed'])(
    'that %s ended, returns to where it began and asks to sign in for the same',
    async (hash) => {
      const opened = returnFromProvider(hash, INTENT)
      await waitFor(() => expect(opened).toMatchObject([{ name: 'auth', mode: 'login', intent: INTENT }]))
      expect(window.location.hash).toBe('#notifications')
    },
  )

  it('opens no sign-in for somebody who has signed in meanwhile', async () => {
    signIn()
    history.replaceState(null, '', '/#sign-in')
    const opened = trackOpenedDialogs()
    renderWithProviders(<PageWithLink />)
    // Nothing opens, also later.
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect([opened, window.location.hash]).toEqual([[], ''])
  })

  it('that failed, says so and opens nothing that nobody asked for', async () => {
    const opened = returnFromProvider('#external-sign-in-failed')
    await waitFor(() => expect(window.location.hash).toBe('#notifications'))
    expect((await screen.findAllByText("We couldn't sign you in. Please try again.")).length).toBeGreaterThan(0)
    expect(opened).toEqual([])
  })
})
