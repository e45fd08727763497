import { publicSettings } from '@community/testing'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { usernameForPasswordManager } from '../../../test/fill.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { currentUser } from '../../lib/session.ts'
import { endCooldown } from './cooldown.ts'
import { AuthModal } from './index.tsx'

const SUCCESS = 'Password reset successfully! You can now log in with your new password.'

async function openForgotPassword(email: string, handlers: Handlers) {
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'auth.forgotPassword': () => ({ expirationMinutes: 5, resetId: 'id' }),
    ...handlers,
  })
  renderWithProviders(<AuthModal mode="login" onClose={() => {}} />)
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
  await userEvent.type(screen.getByLabelText('Email'), email)
  await userEvent.click(screen.getByRole('button', { name: 'Forgot your password?' }))
  return backend
}

async function fillReset(otp: string, password: string, confirmation = password) {
  await userEvent.type(await screen.findByLabelText('Verification Code'), otp)
  await userEvent.type(screen.getByLabelText('New Password'), password)
  await userEvent.type(screen.getByLabelText('Confirm New Password'), confirmation)
}

const resetButton = () => screen.getByRole('button', { name: 'Reset Password' })

describe('a forgotten password', () => {
  it('leads from the email address to the code, the success message and back to the form, and ends a session', async () => {
    signIn({ hasPassword: false })
    const { inputsOf } = await openForgotPassword('sara@example.ma', { 'auth.resetPassword': () => ({}) })
    expect(screen.getByRole('dialog', { name: 'Reset Your Password' })).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('sara@example.ma')
    await userEvent.click(screen.getByRole('button', { name: 'Send Code' }))
    expect((await screen.findAllByText('Verification Code Sent!')).length).toBeGreaterThan(0)
    expect(resetButton().getAttribute('aria-disabled')).toBe('true')

    expect(usernameForPasswordManager(resetButton())).toBe('sara@example.ma')
    await fillReset('123456', 'Zellige2027')
    expect(resetButton().getAttribute('aria-disabled')).toBe('false')
    await userEvent.click(resetButton())
    expect(await screen.findAllByText(SUCCESS)).toHaveLength(2)
    expect(currentUser()).toBeNull()
    expect(inputsOf('auth.resetPassword')).toEqual([
      { email: 'sara@example.ma', otp: '123456', password: 'Zellige2027', confirmPassword: 'Zellige2027' },
    ])

    await userEvent.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('sara@example.ma')
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  })

  it('empties the password of the sign-in form, with its errors', async () => {
    fakeBackend({ 'system.settings': () => publicSettings() })
    renderWithProviders(<AuthModal mode="login" onClose={() => {}} />)
    await userEvent.click(screen.getByRole('button', { name: 'Continue with Email' }))
    await userEvent.type(screen.getByLabelText('Password'), 'forgotten')
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Please enter a valid email address')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Forgot your password?' }))
    await userEvent.type(screen.getByLabelText('Email'), 'sara@example.ma')
    await userEvent.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('sara@example.ma')
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('')
    expect(screen.queryByText('Please enter a valid email address')).toBeNull()
  })

  it('does not send two different passwords', async () => {
    const { inputsOf } = await openForgotPassword('two@example.ma', {})
    await userEvent.click(screen.getByRole('button', { name: 'Send Code' }))
    await fillReset('123456', 'Zellige2027', 'Zellige2028')
    await userEvent.click(resetButton())
    expect(await screen.findByText('Passwords do not match')).toBeDefined()
    expect(inputsOf('auth.resetPassword')).toEqual([])
  })

  it('shows a wrong code at its field, and clears an expired one', async () => {
    let flag: { invalid: true } | { expired: true } = { invalid: true }
    await openForgotPassword('code@example.ma', {
      'auth.resetPassword': () => {
        throw appError('CODE', 'no', flag)
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Send Code' }))
    await fillReset('123456', 'Zellige2027')
    await userEvent.click(resetButton())
    expect(await screen.findByText('Invalid Code')).toBeDefined()
    const code = screen.getByLabelText<HTMLInputElement>('Verification Code')
    expect(code.value).toBe('123456')
    expect(document.activeElement).toBe(code)

    flag = { expired: true }
    await userEvent.click(resetButton())
    expect(await screen.findByText('Code Expired')).toBeDefined()
    await waitFor(() => expect(code.value).toBe(''))
    expect(screen.getByRole('button', { name: 'Resend Code' }).getAttribute('aria-disabled')).toBe('false')
    expect(screen.getByLabelText<HTMLInputElement>('New Password').value).toBe('Zellige2027')
  })

  it('empties the field for the code that was sent again', async () => {
    await openForgotPassword('resent@example.ma', {
      'auth.resetPassword': () => {
        throw appError('CODE_INVALID', 'no', { invalid: true })
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Send Code' }))
    await fillReset('123456', 'Zellige2027')
    await userEvent.click(resetButton())
    await screen.findByText('Invalid Code')
    act(() => endCooldown('reset', 'resent@example.ma'))
    await userEvent.click(screen.getByRole('button', { name: 'Resend Code' }))
    const code = screen.getByLabelText<HTMLInputElement>('Verification Code')
    await waitFor(() => expect([code.value, code.getAttribute('aria-invalid')]).toEqual(['', null]))
    expect(document.activeElement).toBe(code)
    expect(screen.getByLabelText<HTMLInputElement>('New Password').value).toBe('Zellige2027')
  })

  it('shows the server’s error at its field only', async () => {
    const message = 'This password is too common. Please choose another.'
    await openForgotPassword('common@example.ma', {
      'auth.resetPassword': () => {
        throw appError('PASSWORD_TOO_COMMON', message, { errors: [{ msg: message, path: 'password' }] })
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Send Code' }))
    await fillReset('123456', 'Password1')
    await userEvent.click(resetButton())
    await waitFor(() => expect(screen.getByLabelText('New Password').getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getAllByText(message)).toHaveLength(1)
  })

  it('continues with a code mailed earlier, and counts its cooldown down in minutes', async () => {
    const { inputsOf } = await openForgotPassword('again@example.ma', {
      'auth.forgotPassword': () => {
        throw appError('CODE_TOO_SOON', 'Please wait before asking for a new code.', { cooldown: 61 })
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Send Code' }))
    const resend = await screen.findByRole('button', { name: 'Resend Code in 2 minutes' })
    await userEvent.click(resend)
    expect(inputsOf('auth.forgotPassword')).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'Back to Email' }))
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('again@example.ma')
  })

  it('shows that the code could not be sent', async () => {
    await openForgotPassword('away@example.ma', {
      'auth.forgotPassword': () => {
        throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Send Code' }))
    expect(await screen.findByText('Unable to Send Code')).toBeDefined()
    expect(screen.getByText("We couldn't send the verification code. Please try again.")).toBeDefined()
    expect(screen.getByText('Failed to send reset OTP')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeDefined()
  })

  it('warns that a reset signs out all devices, revokes tokens and unlinks the external sign-in', async () => {
    await openForgotPassword('effects@example.ma', {})
    await userEvent.click(screen.getByRole('button', { name: 'Send Code' }))
    expect(await screen.findByText(/signs out all your devices, revokes your access tokens and unlinks/)).toBeDefined()
  })
})

describe('a first password', () => {
  function openFirstPassword(email: string) {
    signIn({ email, hasPassword: false })
    fakeBackend({ 'auth.forgotPassword': () => ({ expirationMinutes: 5, resetId: 'id' }) })
    const onClose = vi.fn<() => void>()
    renderWithProviders(<AuthModal mode="forgot" email={email} onClose={onClose} />)
    return onClose
  }

  it('offers Cancel to a signed-in user, not the sign-in form', async () => {
    const onClose = openFirstPassword('cancelled@example.ma')
    expect(screen.queryByRole('button', { name: 'Back to Login' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onClose).toHaveBeenCalledOnce()
  })
})
