import { MINUTE, RECENT_SIGN_IN_MAX_AGE } from '../limits.ts'
import { defineError } from './define-error.ts'

export const wrongCredentials = defineError(
  401,
  'WRONG_CREDENTIALS',
  'The email or password you entered is incorrect. Please check and try again.',
)
export const banned = defineError(403, 'BANNED', 'This account is banned')
export const emailRefused = defineError(403, 'EMAIL_REFUSED', 'This email address cannot be used here.')
export const signInLocked = defineError(429, 'SIGN_IN_LOCKED', 'Too many attempts. Please wait and try again.')
export const codeInvalid = defineError(
  400,
  'CODE_INVALID',
  'The verification code you entered is incorrect. Please check and try again.',
  { invalid: true },
)
export const codeExpired = defineError(
  400,
  'CODE_EXPIRED',
  'Your verification code has expired. Please request a new one.',
  {
    expired: true,
  },
)
export const codeTooSoon = defineError(429, 'CODE_TOO_SOON', 'Please wait before asking for a new code.')
export const codeLocked = defineError(429, 'CODE_LOCKED', 'Too many wrong codes. Please wait and try again.')
export const refreshInvalid = defineError(401, 'REFRESH_INVALID', 'Your session has ended. Please sign in again.', {
  invalid: true,
})
export const emailTaken = defineError(409, 'EMAIL_TAKEN', 'An account with this email already exists.')
export const externalSignInOff = defineError(404, 'EXTERNAL_SIGN_IN_OFF', 'External sign-in is not set up here')
export const userMissing = defineError(404, 'USER_MISSING', 'User not found')
export const wrongCurrentPassword = defineError(403, 'WRONG_CURRENT_PASSWORD', 'The current password is incorrect.', {
  invalid: true,
  path: 'currentPassword',
})

export const currentPasswordRequired = defineError(400, 'CURRENT_PASSWORD_REQUIRED', 'Password is required', {
  path: 'currentPassword',
})
export const signInTooOld = defineError(
  403,
  'SIGN_IN_AGAIN',
  'Please sign in again to change this. Your last sign-in was more than {n} minutes ago.',
  { params: { n: RECENT_SIGN_IN_MAX_AGE / MINUTE } },
)
export const noPassword = defineError(
  409,
  'NO_PASSWORD',
  'This account has no password yet. Set one with “Forgot your password?”.',
)
export const passwordTooCommon = defineError(
  400,
  'PASSWORD_TOO_COMMON',
  'This password is too common. Please choose another.',
  { path: 'password' },
)
/** Sent with the message of the rule that the password breaks: see `adminPasswordProblem`. */
export const adminPasswordWeak = defineError(
  400,
  'ADMIN_PASSWORD_WEAK',
  'Password is too weak. Please choose a stronger password.',
  { path: 'password' },
)
export const sessionMissing = defineError(404, 'SESSION_MISSING', 'This session has already ended')
export const notYourAccount = defineError(403, 'NOT_YOUR_ACCOUNT', 'This is not your account')
export const adminsStay = defineError(
  403,
  'ADMINS_STAY',
  'Administrators cannot delete their own account. Ask another administrator to delete it.',
)
