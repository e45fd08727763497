import { z } from 'zod'
import {
  adminPasswordWeak,
  codeExpired,
  codeInvalid,
  codeLocked,
  codeTooSoon,
  noPassword,
  passwordTooCommon,
  signInLocked,
  tooManyRequests,
  unavailable,
  wrongCurrentPassword,
} from '../error-catalogue.ts'
import { CurrentPassword, Password } from '../primitives.ts'
import { route } from '../route.ts'
import { EmailInput } from '../users/schemas.ts'
import { ResetCodeSent, ResetPasswordInput, RevokeTokens } from './schemas.ts'

export const passwordRoutes = {
  changePassword: route('POST /auth/change-password', {
    access: 'member',
    sessionOnly: true,
    summary: 'Change the password; ends every session of the account, including this one',
    description: 'Administrators need a stronger password: `ADMIN_PASSWORD_WEAK` names the rule.',
    hashesPassword: true,
    input: z.object({ currentPassword: CurrentPassword, newPassword: Password, revokeTokens: RevokeTokens }),
    successMessage: 'Password changed. Please sign in again.',
    errors: {
      wrongCurrentPassword,
      noPassword,
      passwordTooCommon,
      adminPasswordWeak,
      signInLocked,
      tooManyRequests,
      unavailable,
    },
  }),
  forgotPassword: route('POST /auth/forgot-password', {
    access: 'visitor',
    ignoresToken: true,
    summary: 'Mail a password reset code; the response does not reveal whether the account exists',
    description:
      'Send the returned `resetId` with the code to `POST /auth/reset-password`. An address without an account gets no mail.',
    proofOfWork: 'reset',
    input: EmailInput,
    output: ResetCodeSent,
    successMessage: 'Verification Code Sent!',
    errors: { codeTooSoon, tooManyRequests },
  }),
  resetPassword: route('POST /auth/reset-password', {
    access: 'visitor',
    ignoresToken: true,
    summary: 'Set a new password with the mailed code; ends every session and does not sign in',
    description:
      'Also revokes every personal access token and unlinks the external provider. Repeat `password` as `confirmPassword`. Sign in afterwards.',
    hashesPassword: true,
    input: ResetPasswordInput,
    successMessage: 'Password reset successfully! You can now log in with your new password.',
    errors: {
      codeInvalid,
      codeExpired,
      codeLocked,
      passwordTooCommon,
      adminPasswordWeak,
      tooManyRequests,
      unavailable,
    },
  }),
}
