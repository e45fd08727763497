import { aSignIn, publicSettings } from '@community/testing'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { NETWORK_TEXT, AppError, TIMEOUT_TEXT, TransportError, unreadableResponse } from '../../lib/failure.ts'
import { askPassword } from '../../lib/questions.ts'
import { CodeStep } from './code-step.tsx'
import { GoogleOtpPage } from './google-otp-page.tsx'
import { AuthModal } from './index.tsx'

// Every text about accounts in the specification's catalogue, with the state that shows it.

beforeEach(() => {
  vi.spyOn(window.location, 'replace').mockImplementation(() => {})
})
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const type = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text)
const unavailable = () => {
  throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
}
const disconnected = () => {
  throw new TypeError('Failed to fetch')
}
const timedOut = () => {
  throw new TransportError('timeout', TIMEOUT_TEXT)
}
const failWith =
  (code: string, message: string, extra = {}) =>
  () => {
    throw appError(code, message, extra)
  }
const EXPIRED = failWith('CODE_EXPIRED', 'x', { expired: true })
const INVALID = failWith('CODE_INVALID', 'x', { invalid: true })

const open = (mode: 'login' | 'register' | 'forgot', handlers: Handlers, email = 'sara@example.ma') => {
  fakeBackend({ 'system.settings': () => publicSettings(), ...handlers })
  renderWithProviders(<AuthModal mode={mode} email={email} onClose={() => {}} />)
}

const signIn = (login: NonNullable<Handlers['auth.login']>) => async () => {
  open('login', { 'auth.login': login })
  await press('Continue with Email')
  await type('Password', 'Zellige2026')
  await press('Sign In')
}

const signUp = (handlers: Handlers) => async () => {
  open('register', handlers)
  await press('Continue with Email')
  await type('Full Name', 'Sara')
  await type('Password', 'Zellige2026')
  await type('Confirm Password', 'Zellige2026')
  await press('Create Account')
}

let resetCount = 0
/** Starts a password reset with a new email address each time, as the cooldown is stored by address. */
const forgot = (handlers: Handlers) => async () => {
  open(
    'forgot',
    { 'auth.forgotPassword': () => ({ expirationMinutes: 5, resetId: 'id' }), ...handlers },
    `member${(resetCount += 1)}@example.ma`,
  )
  await press('Send Code')
}

const reset = (handler: NonNullable<Handlers['auth.resetPassword']>) => async () => {
  await forgot({ 'auth.resetPassword': handler })()
  await type('Verification Code', '123456')
  await type('New Password', 'Zellige2027')
  await type('Confirm New Password', 'Zellige2027')
  await press('Reset Password')
}

/** The code step whose procedures throw the given errors. */
const codeStep = (calls: { verify?: unknown; resend?: unknown }) => () => {
  fakeBackend({})
  renderWithProviders(
    <CodeStep
      sent={{ purpose: 'login', email: 'never-waited@example.ma', name: 'Sara', expirationMinutes: 5, requestedAt: 0 }}
      verify={{ mutate: () => (calls.verify ? Promise.reject(calls.verify) : new Promise(() => {})) }}
      welcome="Welcome Back!"
      resend={{ mutate: () => Promise.reject(calls.resend) }}
      onSignedIn={() => {}}
      onBack={() => {}}
      backLabel="Back"
    />,
  )
}
const verify = (error: unknown) => async () => {
  codeStep({ verify: error })()
  await type('Verification Code', '123456')
}

const external = (handler: NonNullable<Handlers['auth.verifyGoogleOtp']>) => async () => {
  history.replaceState(null, '', '/auth/google-otp?email=sara%40example.ma')
  fakeBackend({ 'auth.verifyGoogleOtp': handler })
  renderWithProviders(<GoogleOtpPage />)
  await type('Verification Code', '123456')
  await press('Verify Code')
}

const WRONG = 'The email or password you entered is incorrect. Please check and try again.'
const INCORRECT = 'The verification code you entered is incorrect. Please check and try again.'
const GENERIC = "We couldn't verify your code. Please check your connection and try again."
const mailed = (email: string) => ({
  requiresOTP: true as const,
  email,
  name: 'Sara',
  expirationMinutes: 5,
  signInId: 'id',
  registrationId: 'id',
})

interface ShownTexts {
  state: string
  texts: string[]
  show: () => Promise<void>
}

const CASES: ShownTexts[] = [
  { state: 'wrong password', texts: ['Login failed', WRONG], show: signIn(failWith('WRONG_CREDENTIALS', WRONG)) },
  {
    state: 'sign-in while the service is away',
    texts: ['Login failed', "We couldn't sign you in. Please try again."],
    show: signIn(unavailable),
  },
  { state: 'sign-in without a network', texts: ['Connection Error', NETWORK_TEXT], show: signIn(disconnected) },
  { state: 'sign-in that takes too long', texts: ['Timeout Error', TIMEOUT_TEXT], show: signIn(timedOut) },
  { state: 'signed in', texts: ['Welcome Back!'], show: signIn(() => aSignIn()) },
  { state: 'a code for the sign-in', texts: ['Verification Code Sent!'], show: signIn(({ email }) => mailed(email)) },
  {
    state: 'sign-up while the service is away',
    texts: ['Registration failed', "We couldn't create your account. Please try again."],
    show: signUp({ 'auth.register': unavailable }),
  },
  {
    state: 'signed up',
    texts: ['Welcome to the community!'],
    show: async () => {
      await signUp({
        'auth.register': ({ email }) => mailed(email),
        'auth.verifyRegistrationOtp': () => aSignIn(),
      })()
      await type('Verification Code', '123456')
    },
  },
  {
    state: 'a code that could not be mailed',
    texts: [
      'Unable to Send Code',
      "We couldn't send the verification code. Please try again.",
      'Failed to send reset OTP',
    ],
    show: forgot({ 'auth.forgotPassword': unavailable }),
  },
  {
    state: 'another code that could not be mailed',
    texts: ['Unable to Resend Code', "We couldn't send a new verification code. Please try again."],
    show: async () => {
      codeStep({ resend: new TypeError('x') })()
      await press('Resend Code')
    },
  },
  {
    state: 'another code, mailed',
    texts: ['New Code Sent!'],
    show: async () => {
      fakeBackend({})
      renderWithProviders(
        <CodeStep
          sent={{ purpose: 'login', email: 'resent@example.ma', name: 'Sara', expirationMinutes: 5, requestedAt: 0 }}
          verify={{ mutate: () => new Promise(() => {}) }}
          welcome="Welcome Back!"
          resend={{ mutate: () => Promise.resolve({ expirationMinutes: 5 }) }}
          onSignedIn={() => {}}
          onBack={() => {}}
          backLabel="Back"
        />,
      )
      await press('Resend Code')
    },
  },
  {
    state: 'an expired code',
    texts: ['Code Expired', 'Your verification code has expired. Please request a new one.'],
    show: verify(new AppError('x', { expired: true })),
  },
  {
    state: 'a wrong code',
    texts: ['Invalid Code', INCORRECT],
    show: verify(new AppError('x', { invalid: true })),
  },
  {
    state: 'a code without a network',
    texts: ['Connection Error', NETWORK_TEXT],
    show: verify(new TransportError('network', NETWORK_TEXT)),
  },
  {
    state: 'a code that takes too long',
    texts: ['Timeout Error', TIMEOUT_TEXT],
    show: verify(new TransportError('timeout', TIMEOUT_TEXT)),
  },
  {
    state: 'a code whose response is not of the API',
    texts: ['Verification Failed', GENERIC],
    show: verify(unreadableResponse()),
  },
  {
    state: 'an external code, rejected without a message',
    texts: ['Verification Failed', 'Verification failed. Please try again.'],
    show: external(failWith('BANNED', '')),
  },
  {
    state: 'an external code, expired',
    texts: [
      'Code Expired',
      'Your verification code has expired. Please try signing in with the external provider again.',
    ],
    show: external(EXPIRED),
  },
  { state: 'an external code, wrong', texts: ['Invalid Code', INCORRECT], show: external(INVALID) },
  {
    state: 'an external code without a network',
    texts: ['Connection Error', NETWORK_TEXT],
    show: external(disconnected),
  },
  { state: 'an external code that takes too long', texts: ['Timeout Error', TIMEOUT_TEXT], show: external(timedOut) },
  {
    state: 'an external code while the service is away',
    texts: ['Verification Failed', GENERIC],
    show: external(unavailable),
  },
  { state: 'signed in from outside', texts: ['Welcome!'], show: external(() => aSignIn()) },
  {
    state: 'another code for a forgotten password that could not be mailed',
    texts: ['Unable to Resend Code', 'Failed to resend OTP'],
    show: async () => {
      let calls = 0
      await forgot({
        'auth.forgotPassword': () => {
          calls += 1
          return calls === 1 ? failWith('CODE_TOO_SOON', 'Please wait', { cooldown: 1 })() : unavailable()
        },
      })()
      await waitFor(() => press('Resend Code'), { timeout: 3000 })
    },
  },
  {
    state: 'a new password while the service is away',
    texts: ['Failed to reset password'],
    show: reset(unavailable),
  },
  {
    state: 'a new password',
    texts: ['Password reset successfully! You can now log in with your new password.'],
    show: reset(() => ({})),
  },
  {
    state: 'a password check with an unreadable response',
    texts: ['Password verification endpoint not available'],
    show: async () => {
      fakeBackend({})
      renderWithProviders(null)
      void askPassword({ title: 'Sure?', verify: () => Promise.reject(unreadableResponse(404)) })
      await type('Your password', 'Majorelle-2026')
      await press('Confirm')
    },
  },
]

describe('texts about accounts', () => {
  it.each(CASES)('$state', { timeout: 20_000 }, async ({ texts, show }) => {
    await show()
    for (const text of texts) {
      // The open dialog hides the page's live regions from role queries, so look for the text itself.
      expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
    }
  })
})
