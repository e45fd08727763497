import { aSignIn, publicSettings } from '@community/testing'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { trackOpenedDialogs } from '../../../test/track-opened-dialogs.ts'
import { Dialogs } from '../../app/dialogs.tsx'
import { openDialog } from '../../lib/dialogs.ts'
import { emit, listen } from '../../lib/events.ts'
import { clearSession, currentUser } from '../../lib/session.ts'
import { takeSignInReturn } from '../../lib/sign-in-intent.ts'
import { endCooldown } from './cooldown.ts'
import { AuthModal, type AuthModalProps } from './index.tsx'

const codeSent = (email: string) => ({
  requiresOTP: true as const,
  email,
  name: 'Sara',
  expirationMinutes: 5,
  signInId: 'id',
  registrationId: 'id',
})

/** Renders the modal until it closes, as the app does. */
function ModalUntilClosed({ mode, onClose }: Pick<AuthModalProps, 'mode' | 'onClose'>) {
  const [isOpen, setIsOpen] = useState(true)
  const close = () => {
    onClose()
    setIsOpen(false)
  }
  return isOpen && <AuthModal mode={mode} onClose={close} />
}

function open(mode: 'login' | 'register', handlers: Handlers) {
  const backend = fakeBackend({ 'system.settings': () => publicSettings(), ...handlers })
  const onClose = vi.fn<() => void>()
  renderWithProviders(<ModalUntilClosed mode={mode} onClose={onClose} />)
  return { ...backend, onClose }
}

async function signInWith(email: string) {
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
  await userEvent.type(screen.getByLabelText('Email'), email)
  await userEvent.type(screen.getByLabelText('Password'), 'Zellige2026')
  await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
}

async function signUpWith(email: string) {
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
  await userEvent.type(screen.getByLabelText('Full Name'), 'Sara El Amrani')
  await userEvent.type(screen.getByLabelText('Email'), email)
  await userEvent.type(screen.getByLabelText('Password'), 'Zellige2026')
  await userEvent.type(screen.getByLabelText('Confirm Password'), 'Zellige2026')
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }))
}

describe('the choice of the method', () => {
  it('offers the external provider only if one is configured', async () => {
    const { requests } = open('login', {})
    await waitFor(() => expect(requests).toHaveLength(1))
    expect(screen.queryByRole('link', { name: 'Continue with Google' })).toBeNull()
  })

  it('opens the provider', async () => {
    open('login', { 'system.settings': () => publicSettings({ externalSignIn: true }) })
    const link = await screen.findByRole('link', { name: 'Continue with Google' })
    expect(link.getAttribute('href')).toBe('/auth/google?language=en')
  })

  it('prevents the page from scrolling', () => {
    open('login', {})
    expect(document.documentElement.dataset['scrollLock']).toBe('')
  })
})

describe('the event openAuthModal', () => {
  const isSelected = (name: string) => screen.getByRole('tab', { name }).getAttribute('aria-selected') === 'true'

  it('shows the form of its mode, also while the modal is open, and signing in by default', async () => {
    fakeBackend({ 'system.settings': () => publicSettings() })
    renderWithProviders(<Dialogs />)
    act(() => void window.dispatchEvent(new CustomEvent('openAuthModal')))
    await screen.findByRole('dialog')
    await waitFor(() => expect(isSelected('Sign In')).toBe(true))
    act(() => emit('openAuthModal', { mode: 'register' }))
    await waitFor(() => expect(isSelected('Sign Up')).toBe(true))
    await userEvent.click(screen.getByRole('tab', { name: 'Sign In' }))
    act(() => emit('openAuthModal', { mode: 'register' }))
    await waitFor(() => expect(isSelected('Sign Up')).toBe(true))
    expect(screen.getAllByRole('dialog')).toHaveLength(1)
  })

  it('keeps what was typed into the form that is shown already', async () => {
    open('login', {})
    await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
    await userEvent.type(screen.getByLabelText('Email'), 'sara@example.ma')
    act(() => emit('openAuthModal', { mode: 'login' }))
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('sara@example.ma')
  })
})

describe('sign-in', () => {
  it('signs a member in, shows a message, and closes', async () => {
    const { onClose, inputsOf } = open('login', { 'auth.login': () => aSignIn() })
    await signInWith(' Sara@Example.ma')
    expect((await screen.findAllByText('Welcome Back!')).length).toBeGreaterThan(0)
    expect(inputsOf('auth.login')).toEqual([{ email: 'sara@example.ma', password: 'Zellige2026' }])
    expect(currentUser()?.name).toBe('Sara El Amrani')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('takes an admin to the admin area', async () => {
    const onNavigate = vi.fn<() => void>()
    const stop = listen('navigateToAdmin', onNavigate)
    open('login', { 'auth.login': () => aSignIn({ role: 'admin' }) })
    await signInWith('admin@example.ma')
    await waitFor(() => expect(onNavigate).toHaveBeenCalledOnce())
    stop()
  })

  it('shows a wrong password inline and in a toast, and stays open', async () => {
    const message = 'The email or password you entered is incorrect. Please check and try again.'
    const { onClose } = open('login', {
      'auth.login': () => {
        throw appError('WRONG_CREDENTIALS', message)
      },
    })
    await signInWith('sara@example.ma')
    expect(await screen.findByText('Login failed')).toBeDefined()
    expect(screen.getAllByText(message).length).toBeGreaterThanOrEqual(2)
    const password = screen.getByLabelText<HTMLInputElement>('Password')
    expect(document.activeElement).toBe(password)
    // The next attempt replaces it.
    expect([password.selectionStart, password.selectionEnd]).toEqual([0, 'Zellige2026'.length])
    expect(onClose).not.toHaveBeenCalled()
  })

  it('sends no request for an empty form', async () => {
    const { inputsOf } = open('login', {})
    await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Please enter a valid email address')).toBeDefined()
    expect(screen.getByText('Password is required')).toBeDefined()
    expect(inputsOf('auth.login')).toEqual([])
  })

  it('passes the email address on to the sign-up form', async () => {
    open('login', {})
    await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
    await userEvent.type(screen.getByLabelText('Email'), 'sara@example.ma')
    await userEvent.click(screen.getByRole('button', { name: 'Create one here' }))
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('sara@example.ma')
    expect(document.activeElement).toBe(screen.getByLabelText('Full Name'))
  })

  it('keeps what was typed while the other form or the choice of the method is shown', async () => {
    open('register', {})
    const valueAt = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value
    await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
    await userEvent.type(screen.getByLabelText('Full Name'), 'Sara El Amrani')
    await userEvent.type(screen.getByLabelText('Email'), 'sara@example.ma')
    await userEvent.type(screen.getByLabelText('Password'), 'Zellige2026')
    await userEvent.click(screen.getByRole('tab', { name: 'Sign In' }))
    expect(valueAt('Email')).toBe('sara@example.ma')
    await userEvent.clear(screen.getByLabelText('Email'))
    await userEvent.type(screen.getByLabelText('Email'), 'other@example.ma')
    await userEvent.click(screen.getByRole('button', { name: 'Other ways to continue' }))
    await userEvent.click(screen.getByRole('tab', { name: 'Sign Up' }))
    await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
    expect(['Full Name', 'Email', 'Password'].map(valueAt)).toEqual([
      'Sara El Amrani',
      'other@example.ma',
      'Zellige2026',
    ])
  })
})

describe('the code of a sign-in', () => {
  it('appears when required, submits itself at the sixth digit, and is cleared when it has expired', async () => {
    let isExpired = true
    const { inputsOf, onClose } = open('login', {
      'auth.login': () => codeSent('code@example.ma'),
      'auth.verifyOtp': () => {
        if (isExpired) throw appError('CODE_EXPIRED', 'expired', { expired: true })
        return aSignIn()
      },
    })
    await signInWith('code@example.ma')
    expect(await screen.findByRole('dialog', { name: 'Check Your Email' })).toBeDefined()
    expect((await screen.findAllByText('Verification Code Sent!')).length).toBeGreaterThan(0)
    const input = screen.getByLabelText<HTMLInputElement>('Verification Code')
    expect(document.activeElement).toBe(input)
    expect(screen.getByRole('button', { name: 'Verify Code' }).getAttribute('aria-disabled')).toBe('true')

    await userEvent.type(input, '123456')
    expect(await screen.findByText('Code Expired')).toBeDefined()
    await waitFor(() => expect(input.value).toBe(''))
    expect(screen.getAllByText('Your verification code has expired. Please request a new one.')).toHaveLength(2)
    // A code is valid for longer than the cooldown, which is over now.
    expect(screen.getByRole('button', { name: 'Resend Code' }).getAttribute('aria-disabled')).toBe('false')

    isExpired = false
    await userEvent.type(input, '654321')
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(inputsOf('auth.verifyOtp')).toEqual([
      { email: 'code@example.ma', otp: '123456' },
      { email: 'code@example.ma', otp: '654321' },
    ])
  })

  it('keeps a wrong code for correction', async () => {
    open('login', {
      'auth.login': () => codeSent('wrong@example.ma'),
      'auth.verifyOtp': () => {
        throw appError('CODE_INVALID', 'no', { invalid: true })
      },
    })
    await signInWith('wrong@example.ma')
    const input = await screen.findByLabelText<HTMLInputElement>('Verification Code')
    await userEvent.type(input, '123456')
    expect(await screen.findByText('Invalid Code')).toBeDefined()
    expect(input.value).toBe('123456')
  })

  it('empties the field for the code that was sent again', async () => {
    const email = 'again@example.ma'
    open('login', {
      'auth.login': () => codeSent(email),
      'auth.resendOtp': () => ({ expirationMinutes: 1 }),
      'auth.verifyOtp': () => {
        throw appError('CODE_INVALID', 'no', { invalid: true })
      },
    })
    await signInWith(email)
    const input = await screen.findByLabelText<HTMLInputElement>('Verification Code')
    await userEvent.type(input, '123456')
    await screen.findByText('Invalid Code')
    act(() => endCooldown('login', email))
    await userEvent.click(screen.getByRole('button', { name: 'Resend Code' }))
    await screen.findAllByText('New Code Sent!')
    expect([input.value, input.getAttribute('aria-invalid')]).toEqual(['', null])
    expect(document.activeElement).toBe(input)
    expect(screen.getByText(/It is valid for 1 minute\./)).toBeDefined()
  })

  it('shows the cooldown in minutes, and returns to the choice of the method', async () => {
    const { inputsOf } = open('login', { 'auth.login': () => codeSent('wait@example.ma') })
    await signInWith('wait@example.ma')
    const resend = await screen.findByRole('button', { name: 'Resend Code in 4 minutes' })
    await userEvent.click(resend)
    expect(inputsOf('auth.resendOtp')).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Back to Sign In' }))
    expect(screen.getByRole('button', { name: 'Continue with Email' })).toBeDefined()
  })
})

describe('a sign-in ten minutes after the password', () => {
  const advanceMinutes = (minutes: number) =>
    act(() => {
      vi.advanceTimersByTime(minutes * 60_000 + 1000)
    })

  async function startSignIn() {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    const { inputsOf } = open('login', {
      'auth.login': () => codeSent('ten@example.ma'),
      'auth.resendOtp': () => ({ expirationMinutes: 5 }),
    })
    await signInWith('ten@example.ma')
    await screen.findByLabelText('Verification Code')
    return inputsOf
  }

  it('has expired, even with a newer code, and only offers the way back', async () => {
    const inputsOf = await startSignIn()
    advanceMinutes(8)
    await userEvent.click(screen.getByRole('button', { name: 'Resend Code' }))
    await screen.findAllByText('New Code Sent!')
    expect(inputsOf('auth.resendOtp')).toEqual([{ email: 'ten@example.ma' }])
    advanceMinutes(1)
    expect(screen.getByLabelText('Verification Code')).toBeDefined()
    advanceMinutes(1)
    expect(screen.queryByRole('textbox')).toBeNull()
    // In the toast and inline.
    expect(screen.getAllByText('Your verification code has expired. Please request a new one.')).toHaveLength(2)
    const back = screen.getByRole('button', { name: 'Back to Sign In' })
    expect(document.activeElement).toBe(back)
    await userEvent.click(back)
    expect(screen.getByRole('button', { name: 'Continue with Email' })).toBeDefined()
  })
})

describe('sign-up', () => {
  it('mails a code, sends it with the form’s values, and signs the new member in', async () => {
    const { inputsOf, requests, onClose } = open('register', {
      'auth.register': ({ email }) => codeSent(email),
      'auth.verifyRegistrationOtp': () => aSignIn(),
    })
    await signUpWith('new@example.ma')
    await userEvent.type(await screen.findByLabelText('Verification Code'), '123456')
    expect((await screen.findAllByText('Welcome to the community!')).length).toBeGreaterThan(0)
    expect(inputsOf('auth.verifyRegistrationOtp')).toEqual([
      { name: 'Sara El Amrani', email: 'new@example.ma', password: 'Zellige2026', otp: '123456' },
    ])
    const verify = requests.find((call) => call.path === 'auth.verifyRegistrationOtp')
    expect(verify?.headers.get('idempotency-key')).toBeTruthy()
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('shows an error at each invalid field', async () => {
    const { inputsOf } = open('register', {})
    await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
    await userEvent.type(screen.getByLabelText('Full Name'), 'S')
    await userEvent.type(screen.getByLabelText('Password'), 'zellige')
    await userEvent.type(screen.getByLabelText('Confirm Password'), 'other')
    await userEvent.click(screen.getByRole('button', { name: 'Create Account' }))
    expect(await screen.findByText('Name must be at least 2 characters')).toBeDefined()
    expect(screen.getByText('Please enter a valid email address')).toBeDefined()
    expect(screen.getByText('Password must contain at least one uppercase letter')).toBeDefined()
    expect(screen.getByText("The passwords you entered don't match. Please try again.")).toBeDefined()
    expect(inputsOf('auth.register')).toEqual([])
  })

  it('restores the typed values after the code step', async () => {
    open('register', { 'auth.register': ({ email }) => codeSent(email) })
    await signUpWith('back@example.ma')
    await userEvent.click(await screen.findByRole('button', { name: 'Back to Sign Up' }))
    expect(screen.getByLabelText<HTMLInputElement>('Full Name').value).toBe('Sara El Amrani')
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('back@example.ma')
  })

  it('shows the server’s error', async () => {
    open('register', {
      'auth.register': () => {
        throw appError('EMAIL_REFUSED', 'This email address cannot be used here.')
      },
    })
    await signUpWith('rejected@example.ma')
    expect(await screen.findByText('Registration failed')).toBeDefined()
    expect(screen.getAllByText('This email address cannot be used here.')).toHaveLength(2)
  })
})

describe('closing the modal', () => {
  const typed = () =>
    ['Full Name', 'Email', 'Password'].map((label) => screen.getByLabelText<HTMLInputElement>(label).value)

  it('keeps the name and the email of a sign-up, but not its password', async () => {
    fakeBackend({ 'system.settings': () => publicSettings() })
    const { rerender } = renderWithProviders(<AuthModal mode="register" onClose={() => {}} />)
    await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
    for (const [label, text] of [
      ['Full Name', 'Sara'],
      ['Email', 'sara@example.ma'],
      ['Password', 'Zellige2026'],
    ] as const)
      await userEvent.type(screen.getByLabelText(label), text)
    rerender(null)
    rerender(<AuthModal mode="login" onClose={() => {}} />)
    await userEvent.click(screen.getByRole('tab', { name: 'Sign Up' }))
    await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
    expect(typed()).toEqual(['Sara', 'sara@example.ma', ''])
    act(() => void signIn())
    rerender(null)
    act(() => clearSession())
    rerender(<AuthModal mode="register" onClose={() => {}} />)
    await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
    expect(typed()).toEqual(['', '', ''])
  })

  it('forgets what the visitor asked for', async () => {
    const opened = trackOpenedDialogs()
    fakeBackend({ 'system.settings': () => publicSettings() })
    openDialog({ name: 'auth', mode: 'login', intent: { name: 'createTeam' } })
    renderWithProviders(<Dialogs />)
    await userEvent.click(await screen.findByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    act(() => void signIn())
    expect(opened.map(({ name }) => name)).toEqual(['auth'])
  })
})

describe('after the sign-in', () => {
  const intent = { name: 'team', teamId: aSignIn().user.id } as const
  const accountLink = { name: 'account', tab: 'devices' } as const
  const ownIntent = { ...intent, manage: true, userId: aSignIn().user.id } as const

  it.each([
    ['opens what the visitor asked for', intent, {}, [intent]],
    ['opens nothing of the user whose session has ended', { ...intent, userId: 'somebody-else' }, {}, []],
    ['opens nothing for an administrator, who is taken to their area', intent, { role: 'admin' }, []],
    ['opens a link to their account for an administrator', accountLink, { role: 'admin' }, [accountLink]],
    ['opens what an administrator did when the session ended', ownIntent, { role: 'admin' }, [ownIntent]],
  ] as const)('%s', async (_name, asked, user, expected) => {
    fakeBackend({ 'system.settings': () => publicSettings(), 'auth.login': () => aSignIn(user) })
    renderWithProviders(<AuthModal mode="login" intent={asked} onClose={() => {}} />)
    const opened = trackOpenedDialogs()
    await signInWith('sara@example.ma')
    await waitFor(() => expect(currentUser()).not.toBeNull())
    expect(opened).toEqual(expected)
  })

  it('stores the intent for this tab only when the visitor leaves for the provider', async () => {
    fakeBackend({ 'system.settings': () => publicSettings({ externalSignIn: true }) })
    renderWithProviders(<AuthModal mode="login" intent={intent} onClose={() => {}} />)
    const link = await screen.findByRole('link', { name: 'Continue with Google' })
    link.addEventListener('click', (event) => event.preventDefault())
    expect(takeSignInReturn()).toBeNull()
    await userEvent.click(link)
    expect(takeSignInReturn()).toMatchObject({ hash: '', intent })
    expect(takeSignInReturn()).toBeNull()
  })
})
