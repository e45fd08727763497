import { z } from 'zod'
import './default-messages.ts'
import { cleanLine, cleanText, hasVisibleCharacters } from './clean-text.ts'
import {
  EMAIL_LENGTH_MAX,
  NAME_LENGTH,
  OFFSET_MAX,
  PAGE_SIZE,
  PASSWORD_LENGTH,
  PHONE_INPUT_LENGTH,
  COUNTED_TOTAL_MAX,
} from './limits.ts'
import { CONTACT_EMAIL, EMAIL as EMAIL_PATTERN, lineOf, ONE_LINE, STRONG_PASSWORD, TIME } from './patterns.ts'
import { limitText } from './registered-messages.ts'
import { linkSchema } from './link-schema.ts'

/** A single line. Line ends are rejected, not removed: they cannot be typed into a one-line field. */
export const line = (required?: string) =>
  z
    .string(required)
    .refine((value) => !/[\r\n]/.test(value), 'Line breaks are not allowed here')
    .overwrite(cleanLine)
    .meta({ pattern: ONE_LINE })
export const text = (required?: string) => z.string(required).overwrite(cleanText)

/** A UUID, lower-cased, because ids are compared as strings. */
export const idSchema = (wrong: string) => z.uuid(wrong).toLowerCase()
export const Id = idSchema('Not a valid id').meta({ example: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11' })
export const WRONG_TIME = 'Not a valid date and time'
export const Timestamp = z.iso
  .datetime({ offset: true, error: WRONG_TIME })
  .meta({ example: '2026-11-21T10:00:00.000Z' })

/** An ISO 8601 date and time with an offset in a request, converted to UTC. */
export const TimeInput = z.iso
  .datetime({ offset: true, error: WRONG_TIME, abort: true })
  .overwrite((time) => new Date(time).toISOString())
  // PostgreSQL has no year 0; an offset can push the year beyond four digits.
  .regex(/^(?!0000).{24}$/, WRONG_TIME)
  .meta({ format: 'date-time', pattern: TIME })

/** A filter of lists by their rows' `updatedAt`. */
const UpdatedSince = TimeInput.optional().describe(
  'Only rows whose `updatedAt` is this time or later. Changes appear when they are committed, so subtract ten seconds from the newest `updatedAt` you have. Rows that were deleted or are no longer visible are not reported. In a URL the `+` of an offset is `%2B`',
)

/** Every entity carries its id twice: `_id` repeats `id`. */
export const ids = { id: z.uuid(), _id: z.uuid() }

/** A count in a response. */
export const Count = z.int().min(0)

// ASCII only: look-alike letters would lower-case to somebody else's address. The empty string matches because `min` already rejects it.
const EMAIL =
  /^(?:[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+)?$/
export const WRONG_EMAIL = 'Please enter a valid email address'
/** An e-mail address; `missing` is the message for an empty value. */
const emailSchema = (missing: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? missing : WRONG_EMAIL) })
    .trim()
    .min(1, missing)
    .max(EMAIL_LENGTH_MAX, WRONG_EMAIL)
    .regex(EMAIL, WRONG_EMAIL)
    .toLowerCase()
    .meta({ example: 'sara@example.ma', pattern: EMAIL_PATTERN })
export const Email = emailSchema(WRONG_EMAIL)
/** An address that others will write to; rejects characters that could add parts to a `mailto:` link. */
export const contactEmailSchema = (missing: string) =>
  emailSchema(missing)
    .regex(/^[^?&%]*$/, 'Email addresses with ?, & or % are not accepted')
    .meta({ pattern: CONTACT_EMAIL })

/** Requires `min` visible characters. Texts shorter than `min` pass, because the schema's own `min` rejects them. */
export const minVisible = (min: number, message: string) =>
  z.refine<string>((value) => value.length < min || hasVisibleCharacters(value, min), message)

const SHORT_NAME = limitText('Name must be at least {n} characters', NAME_LENGTH.min)
export const PersonName = line(SHORT_NAME)
  .min(NAME_LENGTH.min, SHORT_NAME)
  .check(minVisible(NAME_LENGTH.min, SHORT_NAME))
  .max(NAME_LENGTH.max, limitText('Name must be less than {n} characters', NAME_LENGTH.max))
  .meta({ example: 'Sara El Amrani', pattern: lineOf(NAME_LENGTH.min) })

const SHORT_PASSWORD = limitText('Password must be at least {n} characters', PASSWORD_LENGTH.min)
const LONG_PASSWORD = limitText('Password is too long (maximum {n} characters)', PASSWORD_LENGTH.max)
export const Password = z
  .string(SHORT_PASSWORD)
  .min(PASSWORD_LENGTH.min, SHORT_PASSWORD)
  .max(PASSWORD_LENGTH.max, LONG_PASSWORD)
  .regex(/[a-z]/, 'Password must contain at least one lowercase letter')
  .regex(/[A-Z]/, 'Password must contain at least one uppercase letter')
  .regex(/[0-9]/, 'Password must contain at least one number')
  .meta({ format: 'password', example: 'Zellige2026', pattern: STRONG_PASSWORD })

/** An administrator’s own password. Without a limit below: a missing or blank one is the error `passwordRequired`. */
export const AdminPassword = z
  .string('Password is required')
  .max(1024, LONG_PASSWORD)
  .meta({ format: 'password' })
  .optional()

/** A password entered for verification; its strength is not checked. */
export const CurrentPassword = z
  .string('Password is required')
  .min(1, 'Password is required')
  .max(1024, LONG_PASSWORD)
  // The empty string is already rejected by `min`.
  .refine((password) => password === '' || password.trim() !== '', 'Password is required')
  .meta({ format: 'password', pattern: '\\S' })

export const Otp = z
  .string('Please enter a 6-digit verification code')
  .regex(/^[0-9]{6}$/, 'Please enter a 6-digit verification code')
  .meta({ example: '123456' })

/** A Moroccan number without spaces. */
const PHONE = /^(?:0[567][0-9]{8}|\+212[567][0-9]{8})$/
export const WRONG_PHONE = 'Phone number must be in format 0612345678 or +212612345678'
export const Phone = z
  .string('Please enter your phone number')
  .max(2 * PHONE_INPUT_LENGTH.max, { error: WRONG_PHONE, abort: true })
  // Numbers copied from a contact list come wrapped in direction marks.
  .overwrite((phone) => cleanLine(phone).replaceAll(' ', ''))
  .refine((phone) => phone !== '', { error: 'Please enter your phone number', abort: true })
  .regex(PHONE, WRONG_PHONE)
  .meta({ example: '0612345678' })

export const Link = linkSchema('Please enter a valid link (http or https)')

/** A link that may be empty. `Link` comes first because a form shows the first option's message. */
export const OptionalLink = z
  .union([Link, z.literal('').transform(() => undefined)], 'Please enter a valid link (http or https)')
  .optional()

export const Limit = z
  .int('limit must be a whole number')
  .min(1, limitText('limit must be at least {n}', 1))
  .max(PAGE_SIZE.max, limitText('limit must be at most {n}', PAGE_SIZE.max))

const cursor = z
  .string('Not a valid cursor')
  .max(3000, 'Not a valid cursor')
  .regex(/^[A-Za-z0-9_-]+$/, 'Not a valid cursor')
  .optional()
/** The paging fields of lists without page numbers. */
export const cursorPage = (defaultLimit: number) => ({
  limit: Limit.default(defaultLimit).describe('Entries of a page'),
  cursor: cursor.describe('`nextCursor` of the previous page'),
})
export const Page = {
  page: z
    .int('page must be a whole number')
    .min(1, limitText('page must be at least {n}', 1))
    .max(1_000_000, limitText('page must be at most {n}', 1_000_000))
    .default(1)
    .describe(`Skips at most ${OFFSET_MAX} rows: use \`cursor\` beyond`),
  limit: Limit.default(PAGE_SIZE.default).describe('Entries of a page'),
  cursor: cursor.describe('`nextCursor` of the previous page. Costs the same at any depth; `page` is then ignored'),
}
/** The paging fields of lists whose rows have `updatedAt`. */
export const PageSince = { ...Page, updatedSince: UpdatedSince }
export const CursorPagination = z
  .object({
    limit: Count,
    nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last page'),
  })
  .meta({ id: 'CursorPagination' })
export const Pagination = z
  .object({
    page: Count.optional().describe('Absent when the page was requested by `cursor`'),
    ...CursorPagination.shape,
    total: Count,
    totalIsCapped: z
      .literal(true)
      .optional()
      .describe(
        `Only where a search, a filter or the audit log has more than ${COUNTED_TOTAL_MAX} results, which are not counted further: there may be more pages than \`totalPages\``,
      ),
    totalPages: Count,
  })
  .meta({ id: 'Pagination' })
export type Pagination = z.output<typeof Pagination>
