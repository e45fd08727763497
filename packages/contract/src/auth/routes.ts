import { z } from 'zod'
import {
  banned,
  codeExpired,
  codeInvalid,
  codeLocked,
  codeTooSoon,
  emailRefused,
  passwordTooCommon,
  refreshInvalid,
  signInLocked,
  tooManyRequests,
  unavailable,
  wrongCredentials,
} from '../faults.ts'
import { PersonName } from '../primitives.ts'
import { route } from '../route.ts'
import { EmailOnly } from '../users/schemas.ts'
import {
  CodeLife,
  CodeSent,
  LoginInput,
  LogoutInput,
  RefreshInput,
  RegisterInput,
  SignedIn,
  VerifyOtpInput,
  VerifyRegistrationInput,
} from './schemas.ts'
import { passwordRoutes } from './password-routes.ts'
import { sessionRoutes } from './session-routes.ts'

export const auth = {
  login: route('POST /auth/login', {
    access: 'visitor',
    summary: 'Sign in with e-mail and password; answers the token pair, or asks for the code just mailed',
    input: LoginInput,
    output: z.union([SignedIn, CodeSent]),
    done: 'Welcome Back!',
    faults: { wrongCredentials, banned, signInLocked, tooManyRequests, unavailable },
  }),
  register: route('POST /auth/register', {
    access: 'visitor',
    summary: 'Begin a registration: a code is mailed, the account exists once it is verified',
    input: RegisterInput,
    output: CodeSent,
    done: 'Verification Code Sent!',
    faults: { passwordTooCommon, emailRefused, tooManyRequests },
  }),
  verifyRegistrationOtp: route('POST /auth/verify-registration-otp', {
    access: 'visitor',
    summary: 'Finish a registration with the mailed code; answers the token pair',
    input: VerifyRegistrationInput,
    output: SignedIn,
    creates: true,
    done: 'Welcome to the community!',
    faults: {
      passwordTooCommon,
      codeInvalid,
      codeExpired,
      codeLocked,
      emailRefused,
      tooManyRequests,
      unavailable,
    },
  }),
  resendRegistrationOtp: route('POST /auth/resend-registration-otp', {
    access: 'visitor',
    summary: 'Mail another registration code; the one before is void',
    input: EmailOnly.extend({ name: PersonName }),
    output: CodeLife,
    done: 'New Code Sent!',
    faults: { codeTooSoon, emailRefused, tooManyRequests },
  }),
  sendOtp: route('POST /auth/send-otp', {
    access: 'visitor',
    summary: 'Mail a code for a sign-in begun with the right password in the last 10 minutes',
    input: EmailOnly,
    output: CodeLife,
    done: 'Verification Code Sent!',
    faults: { codeTooSoon, tooManyRequests },
  }),
  resendOtp: route('POST /auth/resend-otp', {
    access: 'visitor',
    summary: 'Mail another sign-in code; the one before is void',
    input: EmailOnly,
    output: CodeLife,
    done: 'New Code Sent!',
    faults: { codeTooSoon, tooManyRequests },
  }),
  verifyOtp: route('POST /auth/verify-otp', {
    access: 'visitor',
    summary: 'Finish a sign-in with the mailed code; answers the token pair',
    input: VerifyOtpInput,
    output: SignedIn,
    done: 'Welcome Back!',
    faults: { codeInvalid, codeExpired, codeLocked, banned, tooManyRequests },
  }),
  verifyGoogleOtp: route('POST /auth/verify-google-otp', {
    access: 'visitor',
    summary: 'Finish an external sign-in with the mailed code, from the browser that began it',
    input: VerifyOtpInput,
    output: SignedIn,
    done: 'Welcome!',
    faults: { codeInvalid, codeExpired, codeLocked, banned, emailRefused, tooManyRequests },
  }),
  logout: route('POST /auth/logout', {
    access: 'visitor',
    summary: 'End the sign-in of the bearer token and that of the refresh token, whichever of them still count',
    input: LogoutInput,
    done: 'Signed out',
  }),
  refresh: route('POST /auth/refresh', {
    access: 'visitor',
    summary: 'A new token pair for a refresh token; using a spent one ends all of its successors',
    input: RefreshInput,
    output: SignedIn,
    done: 'OK',
    faults: { refreshInvalid, banned, tooManyRequests },
  }),
  ...passwordRoutes,
  ...sessionRoutes,
}
