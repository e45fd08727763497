import { aSignIn, publicSettings } from '@community/testing'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answers, fakeBackend, refusal } from '../../../test/fake-backend.ts'
import { renderPart } from '../../../test/render-part.tsx'
import { NETWORK_TEXT, RefusedError, TIMEOUT_TEXT, TransportError } from '../../lib/failure.ts'
import { clearSession } from '../../lib/session.ts'
import { toast } from '../../lib/toasts.ts'
import { askPassword } from '../../lib/questions.ts'
import { CodeStep } from './code-step.tsx'
import { GoogleOtpPage } from './google-otp-page.tsx'
import { AuthModal } from './index.tsx'

// The accounts' part of the specification's catalogue of texts: each one, and the state that shows it.

beforeEach(() => {
  vi.spyOn(window.location, 'assign').mockImplementation(() => {})
})
afterEach(() => {
  clearSession()
  toast.clear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const type = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text)
const away = () => {
  throw refusal('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
}
const cut = () => {
  throw new TypeError('Failed to fetch')
}
const late = () => {
  throw new TransportError('timeout', TIMEOUT_TEXT)
}
const refusing =
  (code: string, message: string, extra = {}) =>
  () => {
    throw refusal(code, message, extra)
  }
const EXPIRED = refusing('CODE_EXPIRED', 'x', { expired: true })
const INVALID = refusing('CODE_INVALID', 'x', { invalid: true })

const open = (mode: 'login' | 'register' | 'forgot', answers: Answers, email = 'sara@example.ma') => {
  fakeBackend({ 'system.settings': () => publicSettings(), ...answers })
  renderPart(<AuthModal mode={mode} email={email} onClose={() => {}} />)
}

const signIn = (login: NonNullable<Answers['auth.login']>) => async () => {
  open('login', { 'auth.login': login })
  await press('Continue with Email')
  await type('Password', 'Zellige2026')
  await press('Sign In')
}

const signUp = (answers: Answers) => async () => {
  open('register', answers)
  await press('Continue with Email')
  await type('Full Name', 'Sara')
  await type('Password', 'Zellige2026')
  await type('Confirm Password', 'Zellige2026')
  await press('Create Account')
}

let asked = 0
/** A forgotten password, each time of another address: the wait for a code is kept by address. */
const forgot = (answers: Answers) => async () => {
  open(
    'forgot',
    { 'auth.forgotPassword': () => ({ expirationMinutes: 5, resetId: 'id' }), ...answers },
    `told${(asked += 1)}@example.ma`,
  )
  await press('Send Code')
}

const reset = (answer: NonNullable<Answers['auth.resetPassword']>) => async () => {
  await forgot({ 'auth.resetPassword': answer })()
  await type('Verification Code', '123456')
  await type('New Password', 'Zellige2027')
  await type('Confirm New Password', 'Zellige2027')
  await press('Reset Password')
}

/** The screen of the mailed code, with what its calls throw. */
const codeStep = (calls: { verify?: unknown; resend?: unknown }) => () => {
  fakeBackend({})
  renderPart(
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

const external = (answer: NonNullable<Answers['auth.verifyGoogleOtp']>) => async () => {
  history.replaceState(null, '', '/auth/google-otp?email=sara%40example.ma')
  fakeBackend({ 'auth.verifyGoogleOtp': answer })
  renderPart(<GoogleOtpPage />)
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

interface Told {
  state: string
  texts: string[]
  show: () => Promise<void>
}

const TOLD: Told[] = [
  { state: 'wrong password', texts: ['Login failed', WRONG], show: signIn(refusing('WRONG_CREDENTIALS', WRONG)) },
  {
    state: 'sign-in while the service is away',
    texts: ['Login failed', "We couldn't sign you in. Please try again."],
    show: signIn(away),
  },
  { state: 'sign-in without a network', texts: ['Connection Error', NETWORK_TEXT], show: signIn(cut) },
  { state: 'sign-in that takes too long', texts: ['Timeout Error', TIMEOUT_TEXT], show: signIn(late) },
  { state: 'signed in', texts: ['Welcome Back!'], show: signIn(() => aSignIn()) },
  { state: 'a code for the sign-in', texts: ['Verification Code Sent!'], show: signIn(({ email }) => mailed(email)) },
  {
    state: 'sign-up while the service is away',
    texts: ['Registration failed', "We couldn't create your account. Please try again."],
    show: signUp({ 'auth.register': away }),
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
    show: forgot({ 'auth.forgotPassword': away }),
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
      renderPart(
        <CodeStep
          sent={{ purpose: 'login', email: 'resent@example.ma', name: 'Sara', expirationMinutes: 5, requestedAt: 0 }}
          verify={{ mutate: () => new Promise(() => {}) }}
          welcome="Welcome Back!"
          resend={{ mutate: () => Promise.resolve() }}
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
    show: verify(new RefusedError('x', { expired: true })),
  },
  {
    state: 'a wrong code',
    texts: ['Invalid Code', INCORRECT],
    show: verify(new RefusedError('x', { invalid: true })),
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
    state: 'a code that something else answered',
    texts: ['Verification Failed', GENERIC],
    show: verify(new TransportError('format', 'Invalid response format')),
  },
  {
    state: 'an external code, refused without words',
    texts: ['Verification Failed', 'Verification failed. Please try again.'],
    show: external(refusing('BANNED', '')),
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
  { state: 'an external code without a network', texts: ['Connection Error', NETWORK_TEXT], show: external(cut) },
  { state: 'an external code that takes too long', texts: ['Timeout Error', TIMEOUT_TEXT], show: external(late) },
  {
    state: 'an external code while the service is away',
    texts: ['Verification Failed', GENERIC],
    show: external(away),
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
          return calls === 1 ? refusing('CODE_TOO_SOON', 'Please wait', { cooldown: 1 })() : away()
        },
      })()
      await waitFor(() => press('Resend Code'), { timeout: 3000 })
    },
  },
  {
    state: 'a new password while the service is away',
    texts: ['Password Reset Failed', 'Failed to reset password'],
    show: reset(away),
  },
  {
    state: 'a new password',
    texts: ['Password reset successfully! You can now log in with your new password.'],
    show: reset(() => ({})),
  },
  {
    state: 'a password check that nothing readable answered',
    texts: ['Password verification endpoint not available'],
    show: async () => {
      fakeBackend({})
      renderPart(null)
      void askPassword({ title: 'Sure?', verify: () => Promise.reject(new TransportError('format', 'HTTP 404')) })
      await type('Your password', 'Majorelle-2026')
      await press('Confirm')
    },
  },
]

describe('what accounts say', () => {
  it.each(TOLD)('$state', { timeout: 20_000 }, async ({ texts, show }) => {
    await show()
    for (const text of texts) {
      // The dialog on top hides the page's own live regions from readers: what counts is that it is drawn.
      expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
    }
  })
})
