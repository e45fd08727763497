import { z } from 'zod'
import {
  currentPasswordRequired,
  sessionRequired,
  signInLocked,
  signInTooOld,
  tooManyRequests,
  unavailable,
  wrongCurrentPassword,
} from '../error-catalogue.ts'
import { BIO_LENGTH_MAX, MINUTE, RECENT_SIGN_IN_MAX_AGE } from '../limits.ts'
import {
  Count,
  Email,
  CurrentPassword,
  ids,
  OptionalLink,
  PersonName,
  Phone,
  text,
  Timestamp,
  WRONG_PHONE,
} from '../primitives.ts'
import { limitText } from '../registered-messages.ts'

export const ROLES_OF_USERS = ['member', 'admin'] as const
export const LANGUAGES = ['en', 'fr', 'ar'] as const
export const EXPERIENCES = ['Beginner', 'Intermediate', 'Advanced', 'Expert'] as const

export const Language = z.enum(LANGUAGES)
export type Language = z.output<typeof Language>

const WRONG_LEVEL = 'Please select a valid experience level'
/** A level of experience; `missing` is the message for an empty value. */
export const experienceSchema = (missing: string) =>
  z.enum(EXPERIENCES, { error: ({ input }) => (input === undefined || input === '' ? missing : WRONG_LEVEL) })
export const Experience = experienceSchema(WRONG_LEVEL).meta({ id: 'Experience' })
export type Experience = z.output<typeof Experience>

export const User = z
  .object({
    ...ids,
    name: z.string(),
    email: z.string(),
    role: z.enum(ROLES_OF_USERS),
    avatarUrl: z.string().nullable(),
    isBanned: z.boolean(),
    banReason: z.string().nullable(),
    warnings: Count,
    createdAt: Timestamp,
  })
  .meta({ id: 'User' })
export type User = z.output<typeof User>

/** The caller's own account. */
export const Profile = User.extend({
  phone: z.string().nullable(),
  github: z.string().nullable(),
  instagram: z.string().nullable(),
  portfolio: z.string().nullable(),
  bio: z.string().nullable(),
  experience: Experience.nullable(),
  language: Language,
  signInOtp: z.boolean().describe('The owner wants a mailed code at every sign-in'),
  signInOtpRequired: z
    .boolean()
    .optional()
    .describe('The server’s settings require a mailed code at every sign-in, whatever `signInOtp` is'),
  hasPassword: z.boolean().describe('False for an account that can only sign in through the external provider'),
}).meta({ id: 'Profile' })
export type Profile = z.output<typeof Profile>

export const Bio = text().max(BIO_LENGTH_MAX, limitText('Bio cannot exceed {n} characters', BIO_LENGTH_MAX))
export const OptionalLinksAndBio = {
  github: OptionalLink,
  instagram: OptionalLink,
  portfolio: OptionalLink,
  bio: Bio.optional(),
}

export const ProfileInput = z.object({
  name: PersonName.optional(),
  phone: z.union([z.literal('').transform(() => null), Phone], WRONG_PHONE).optional(),
  ...OptionalLinksAndBio,
  experience: z.union([z.literal('').transform(() => null), Experience], WRONG_LEVEL).optional(),
  language: Language.optional(),
  signInOtp: z
    .boolean()
    .optional()
    .describe(
      `Turning it off requires a session and \`currentPassword\`, or for accounts without a password a sign-in within the last ${RECENT_SIGN_IN_MAX_AGE / MINUTE} minutes; the owner is notified by mail`,
    ),
  currentPassword: CurrentPassword.optional().describe('Only checked when `signInOtp` is turned off'),
  avatarUrl: z.null().optional().describe('Null removes the picture'),
})

/** Errors of procedures that need proof of ownership, such as turning off `signInOtp`. */
export const profileErrors = {
  currentPasswordRequired,
  wrongCurrentPassword,
  sessionRequired,
  signInTooOld,
  signInLocked,
  tooManyRequests,
  unavailable,
}

export const EmailInput = z.object({ email: Email })
