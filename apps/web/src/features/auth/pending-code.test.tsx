import { aSignIn, publicSettings } from '@community/testing'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { fakeBackend } from '../../../test/fake-backend.ts'
import { usernameForPasswordManager, fill } from '../../../test/fill.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { trackOpenedDialogs } from '../../../test/track-opened-dialogs.ts'
import { Dialogs } from '../../app/dialogs.tsx'
import { openDialog, type SignInIntent, useOpenDialog } from '../../lib/dialogs.ts'
import { useSignInLink } from '../../lib/sign-in-link.ts'

const EMAIL = 'sara@example.ma'
const PASSWORD = 'Zellige2026'
const INTENT: SignInIntent = { name: 'createTeam' }

function Page() {
  useSignInLink()
  return <Dialogs />
}

const storedCode = () => sessionStorage.getItem('pendingCode')
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label)
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

/** Opens the authentication dialog, fills in its form and submits it, up to the step that asks for the mailed code. */
async function openCodeStep(mode: 'login' | 'register') {
  const sent = { requiresOTP: true as const, email: EMAIL, name: 'Sara', expirationMinutes: 5 }
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'auth.login': () => ({ ...sent, signInId: 'id' }),
    'auth.register': () => ({ ...sent, registrationId: 'id' }),
    'auth.verifyOtp': () => aSignIn(),
    'auth.verifyRegistrationOtp': () => aSignIn(),
  })
  openDialog({ name: 'auth', mode, intent: INTENT })
  renderWithProviders(<Page />)
  await press('Continue with Email')
  await fill(await field('Email'), EMAIL)
  await fill(await field('Password'), PASSWORD)
  if (mode === 'register') {
    await fill(await field('Full Name'), 'Sara')
    await fill(await field('Confirm Password'), PASSWORD)
  }
  await press(mode === 'login' ? 'Sign In' : 'Create Account')
  await field('Verification Code')
  return backend
}

/** The browser discards the page without running effects, and loads it again. */
function reload(): void {
  const stored = storedCode()
  cleanup()
  act(() => useOpenDialog.setState(null, true))
  if (stored !== null) sessionStorage.setItem('pendingCode', stored)
  renderWithProviders(<Page />)
}

describe('closing the step for a mailed code', () => {
  async function closeAndOpen(mode: 'login' | 'register') {
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    act(() => openDialog({ name: 'auth', mode }))
  }

  it('keeps it for the next time, with the password of a registration', async () => {
    const { inputsOf } = await openCodeStep('register')
    await closeAndOpen('register')
    await userEvent.type(await field('Verification Code'), '123456')
    await waitFor(() =>
      expect(inputsOf('auth.verifyRegistrationOtp')).toEqual([
        { name: 'Sara', email: EMAIL, password: PASSWORD, otp: '123456' },
      ]),
    )
  })

  it('does not keep it after the way back', async () => {
    await openCodeStep('login')
    await closeAndOpen('login')
    await press('Back to Sign In')
    await closeAndOpen('login')
    expect(await screen.findByRole('button', { name: 'Continue with Email' })).toBeDefined()
  })

  it('does not keep a registration for a sign-in', async () => {
    await openCodeStep('register')
    await closeAndOpen('login')
    expect(await screen.findByRole('button', { name: 'Continue with Email' })).toBeDefined()
  })

  it('does not keep it when the server no longer waits for the code', async () => {
    await openCodeStep('register')
    await userEvent.keyboard('{Escape}')
    vi.setSystemTime(Date.now() + 10 * 60_000)
    act(() => openDialog({ name: 'auth', mode: 'register' }))
    expect(await screen.findByRole('button', { name: 'Continue with Email' })).toBeDefined()
  })
})

describe('a reload at the step for a mailed code', () => {
  it('opens it again, and continues with what the visitor asked for', async () => {
    const { inputsOf } = await openCodeStep('login')
    reload()
    const opened = trackOpenedDialogs()
    await userEvent.type(await field('Verification Code'), '123456')
    await waitFor(() => expect(opened.at(-1)).toEqual(INTENT))
    expect(inputsOf('auth.verifyOtp')).toEqual([{ email: EMAIL, otp: '123456' }])
    expect(storedCode()).toBeNull()
  })

  it('asks for the password of a registration twice, as it is not stored', async () => {
    const { inputsOf } = await openCodeStep('register')
    expect(storedCode()).toContain(EMAIL)
    expect(storedCode()).not.toContain(PASSWORD)
    reload()
    expect(usernameForPasswordManager(await field('Password'))).toBe(EMAIL)
    await userEvent.type(await field('Password'), PASSWORD)
    await userEvent.type(await field('Confirm Password'), 'zellige2026')
    await press('Continue')
    expect(await screen.findByText("The passwords you entered don't match. Please try again.")).toBeDefined()
    await fill(await field('Confirm Password'), PASSWORD)
    await press('Continue')
    await userEvent.type(await field('Verification Code'), '123456')
    await waitFor(() =>
      expect(inputsOf('auth.verifyRegistrationOtp')).toEqual([
        { name: 'Sara', email: EMAIL, password: PASSWORD, otp: '123456' },
      ]),
    )
  })

  it('returns from there to the form of the registration, with what was typed', async () => {
    await openCodeStep('register')
    reload()
    await press('Back to Sign Up')
    expect([(await field('Full Name')).value, (await field('Email')).value]).toEqual(['Sara', EMAIL])
    expect(storedCode()).toBeNull()
  })

  it.each([
    ['was closed', () => press('Close')],
    ['is over', async () => void vi.setSystemTime(Date.now() + 10 * 60_000)],
    [
      'ended with a sign-in in another tab',
      async () => localStorage.setItem('currentUser', JSON.stringify(aSignIn().user)),
    ],
  ])('opens nothing if the step %s', async (_how, end) => {
    await openCodeStep('login')
    await end()
    reload()
    // Nothing opens in the time that the dialog takes.
    await expect(screen.findByRole('dialog', {}, { timeout: 500 })).rejects.toThrow()
    expect(storedCode()).toBeNull()
  })
})
