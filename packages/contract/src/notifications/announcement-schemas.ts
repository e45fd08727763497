import { z } from 'zod'
import { PasswordConfirmation } from '../admin/schemas.ts'
import { limitText } from '../registered-messages.ts'
import { ANNOUNCEMENT_LENGTH_MAX, TITLE_LENGTH_MAX } from '../limits.ts'
import { lineOf, VISIBLE_TEXT } from '../patterns.ts'
import { Count, Id, ids, line, text, TimeInput, Timestamp } from '../primitives.ts'

export const AUDIENCES = ['everyone', 'chefs', 'challenge'] as const
export type Audience = (typeof AUDIENCES)[number]
export const ANNOUNCEMENT_STATES = ['scheduled', 'sending', 'sent'] as const

const Audience = z
  .enum(AUDIENCES, 'Unknown audience')
  .describe('Everyone, all chefs, or the members of teams that applied to a challenge')

export const Announcement = z
  .object({
    ...ids,
    title: z.string(),
    body: z.string().describe('Markdown; HTML in it is shown as text'),
    audience: Audience,
    challenge: z
      .object({ ...ids, title: z.string() })
      .nullable()
      .describe('The challenge, for the audience `challenge`; null for others, and if the challenge was deleted'),
    state: z.enum(ANNOUNCEMENT_STATES),
    recipients: Count.describe('How many people it has reached'),
    createdBy: z.object({ id: z.uuid(), name: z.string() }).nullable().describe('Null if that account was deleted'),
    publishAt: Timestamp,
    createdAt: Timestamp,
  })
  .meta({ id: 'Announcement' })
export type Announcement = z.output<typeof Announcement>

const REQUIRED = 'This field is required'
const audienceFields = {
  audience: Audience,
  challengeId: Id.optional().describe('Required for the audience `challenge`, and for no other'),
}
const checkChallenge = z.superRefine<{ audience: Audience; challengeId?: string | undefined }>(
  ({ audience, challengeId }, context) => {
    if ((audience === 'challenge') === (challengeId !== undefined)) return
    const message = challengeId ? 'Choose a challenge only for the audience of its teams' : 'Choose a challenge'
    context.addIssue({ code: 'custom', path: ['challengeId'], message })
  },
)

export const AudienceInput = z
  .object(audienceFields)
  .check(checkChallenge)
  .meta({ example: { audience: 'chefs' } })

export const AnnouncementInput = z
  .object({
    title: line(REQUIRED)
      .min(1, REQUIRED)
      .max(TITLE_LENGTH_MAX, limitText('Title cannot exceed {n} characters', TITLE_LENGTH_MAX))
      .meta({ pattern: lineOf(1), example: 'The jury meets on Friday' }),
    body: text(REQUIRED)
      .min(1, REQUIRED)
      .max(ANNOUNCEMENT_LENGTH_MAX, limitText('The text cannot exceed {n} characters', ANNOUNCEMENT_LENGTH_MAX))
      .describe('Markdown; HTML in it is shown as text')
      .meta({ pattern: VISIBLE_TEXT, example: 'Submit your work by **Thursday evening**.' }),
    ...audienceFields,
    publishAt: TimeInput.optional().describe('When to publish it; at once if omitted'),
    ...PasswordConfirmation,
  })
  .check(checkChallenge)
  .meta({
    example: {
      title: 'The jury meets on Friday',
      body: 'Submit your work by **Thursday evening**.',
      audience: 'chefs',
    },
  })
