import { z } from 'zod'
import {
  ACCESS_TOKEN_TTL,
  DAY,
  MINUTE,
  CODE_ATTEMPTS_MAX,
  CODE_FAILURES_PER_DAY,
  REFRESH_TOKEN_TTL,
} from '../limits.ts'
import {
  contactEmailSchema,
  Count,
  Email,
  CurrentPassword,
  ids,
  Otp,
  Password,
  PersonName,
  Timestamp,
  WRONG_EMAIL,
} from '../primitives.ts'
import { Profile } from '../users/schemas.ts'

/** A signed-in person and their token pair. */
export const SignInResult = z
  .object({
    requiresOTP: z.literal(false).describe('True in the response that asks for a mailed code instead'),
    user: Profile,
    token: z.string().describe(`Send as \`Authorization: Bearer\`; expires after ${ACCESS_TOKEN_TTL / MINUTE} minutes`),
    refreshToken: z.string().describe(`Single use; expires after ${REFRESH_TOKEN_TTL / DAY} days`),
  })
  .meta({ id: 'SignedIn' })
export type SignInResult = z.output<typeof SignInResult>

const issuedAttemptId = z
  .string()
  .describe(
    'Send it back with the code: attempts with this id are counted separately from those of anyone else who knows the address. Browsers also receive it as a cookie',
  )
/** Optional: without a valid id the attempt counts against the limit shared by all callers. */
const sentAttemptId = z
  .string()
  .regex(/^[\w-]{1,2000}$/, 'Not a valid id')
  .optional()
  .describe(
    `The id returned by the first step. Without it the code’s ${CODE_ATTEMPTS_MAX} attempts, and ${CODE_FAILURES_PER_DAY} a day, are shared by everyone who knows the address`,
  )

/** A code was mailed and must be entered. */
const CodeSent = z.object({
  requiresOTP: z.literal(true),
  email: z.string(),
  name: z.string(),
  expirationMinutes: Count,
})
export const SignInCodeSent = CodeSent.extend({ signInId: issuedAttemptId }).meta({ id: 'SignInCodeSent' })
export const RegistrationCodeSent = CodeSent.extend({ registrationId: issuedAttemptId }).meta({
  id: 'RegistrationCodeSent',
})

export const CodeExpiry = z.object({ expirationMinutes: Count }).meta({ id: 'CodeLife' })
export const ResetCodeSent = z
  .object({ expirationMinutes: Count, resetId: issuedAttemptId })
  .meta({ id: 'ResetCodeSent' })

export const LoginInput = z.object({ email: Email, password: CurrentPassword })

/** A `when` condition: compares the two passwords even if other fields are invalid. */
const isObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null

const PASSWORDS_DIFFER = "The passwords you entered don't match. Please try again."

export const RegisterInput = z
  .object({
    name: PersonName,
    email: contactEmailSchema(WRONG_EMAIL),
    password: Password,
    confirmPassword: z.string(PASSWORDS_DIFFER),
  })
  .refine((input) => input.password === input.confirmPassword, {
    path: ['confirmPassword'],
    error: PASSWORDS_DIFFER,
    when: isObject,
  })

export const VerifyRegistrationInput = z.object({
  name: PersonName,
  email: Email,
  password: Password,
  otp: Otp,
  registrationId: sentAttemptId,
})
export const VerifyOtpInput = z.object({ email: Email, otp: Otp, signInId: sentAttemptId })
export const VerifyGoogleOtpInput = z.object({ email: Email, otp: Otp })
export const RefreshInput = z.object({
  refreshToken: z.string().regex(/^\S{1,200}$/, 'Not a valid refresh token'),
})
export const LogoutInput = z.object({ refreshToken: z.string().max(200).optional() })

const RESET_PASSWORDS_DIFFER = 'Passwords do not match'

export const ResetPasswordInput = z
  .object({
    email: Email,
    otp: Otp,
    password: Password,
    confirmPassword: z.string(RESET_PASSWORDS_DIFFER),
    resetId: sentAttemptId,
  })
  .refine((input) => input.password === input.confirmPassword, {
    path: ['confirmPassword'],
    error: RESET_PASSWORDS_DIFFER,
    when: isObject,
  })

export const RevokeTokens = z.boolean().default(false).describe('Also revoke every personal access token')

/** The change-password form: the new password is typed twice. */
export const ChangePasswordForm = z
  .object({
    currentPassword: CurrentPassword,
    newPassword: Password,
    revokeTokens: RevokeTokens,
    confirmPassword: z.string(RESET_PASSWORDS_DIFFER),
  })
  .refine((input) => input.newPassword === input.confirmPassword, {
    path: ['confirmPassword'],
    error: RESET_PASSWORDS_DIFFER,
    when: isObject,
  })

/** A session of a user: one device that holds a refresh token. */
export const SignIn = z
  .object({
    ...ids,
    browser: z.string().nullable().describe('As the user agent names itself; null when unknown'),
    system: z.string().nullable(),
    address: z.string().describe('The IP address it was last used from'),
    country: z
      .string()
      .length(2)
      .nullable()
      .describe(
        'ISO 3166 code of the country that address is registered in, by IP2Location LITE data available from https://lite.ip2location.com',
      ),
    createdAt: Timestamp,
    lastSeenAt: Timestamp,
    isCurrent: z.boolean().describe('The session of this request'),
    hasPush: z.boolean().describe('Whether push messages are sent to it'),
  })
  .meta({ id: 'SignIn' })
export type SignIn = z.output<typeof SignIn>
