import { aSignIn, publicSettings } from '@community/testing'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill, pressTwice } from '../../../test/fill.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { GoogleOtpPage } from './google-otp-page.tsx'
import { AuthModal } from './index.tsx'

const button = (name: string) => screen.getByRole('button', { name })

async function open(mode: 'login' | 'register', handlers: Handlers) {
  const backend = fakeBackend({ 'system.settings': () => publicSettings(), ...handlers })
  renderWithProviders(<AuthModal mode={mode} onClose={() => {}} />)
  await userEvent.click(button('Continue with Email'))
  await fill(screen.getByLabelText('Email'), 'sara@example.ma')
  await fill(screen.getByLabelText('Password'), 'Zellige2026')
  return backend
}

const codeSent = {
  requiresOTP: true as const,
  email: 'sara@example.ma',
  name: 'Sara',
  expirationMinutes: 5,
  signInId: 'id',
  registrationId: 'id',
}
const rejectCode = () => {
  throw appError('CODE_INVALID', 'Wrong code', { invalid: true })
}

describe('a double press', () => {
  it('signs in once, and can try again after an error', async () => {
    const { inputsOf } = await open('login', {
      'auth.login': () => {
        throw appError('WRONG_CREDENTIALS', 'No')
      },
    })
    pressTwice(button('Sign In'))
    await screen.findByText('Login failed')
    expect(inputsOf('auth.login')).toHaveLength(1)
    pressTwice(await screen.findByRole('button', { name: 'Sign In' }))
    await waitFor(() => expect(inputsOf('auth.login')).toHaveLength(2))
  })

  it('registers once', async () => {
    const { inputsOf } = await open('register', { 'auth.register': () => codeSent })
    await fill(screen.getByLabelText('Full Name'), 'Sara El Amrani')
    await fill(screen.getByLabelText('Confirm Password'), 'Zellige2026')
    pressTwice(button('Create Account'))
    await screen.findByLabelText('Verification Code')
    expect(inputsOf('auth.register')).toHaveLength(1)
  })

  it('sends a mailed code once', async () => {
    const { inputsOf } = await open('login', { 'auth.login': () => codeSent, 'auth.verifyOtp': rejectCode })
    await userEvent.click(button('Sign In'))
    await fill(await screen.findByLabelText('Verification Code'), '123456')
    await waitFor(() => expect(inputsOf('auth.verifyOtp')).toHaveLength(1))
    pressTwice(await screen.findByRole('button', { name: 'Verify Code' }))
    await waitFor(() => expect(inputsOf('auth.verifyOtp')).toHaveLength(2))
    await screen.findByRole('button', { name: 'Verify Code' })
    expect(inputsOf('auth.verifyOtp')).toHaveLength(2)
  })

  it('sends the code of the external sign-in once', async () => {
    vi.spyOn(window.location, 'replace').mockImplementation(() => {})
    history.replaceState(null, '', '/auth/google-otp?email=sara%40example.ma')
    const { inputsOf } = fakeBackend({ 'auth.verifyGoogleOtp': () => aSignIn() })
    renderWithProviders(<GoogleOtpPage />)
    await fill(screen.getByLabelText('Verification Code'), '123456')
    pressTwice(button('Verify Code'))
    await waitFor(() => expect(window.location.replace).toHaveBeenCalledOnce())
    expect(inputsOf('auth.verifyGoogleOtp')).toHaveLength(1)
  })
})
