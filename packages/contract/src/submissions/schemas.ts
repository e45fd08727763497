import { z } from 'zod'
import {
  FEEDBACK_LENGTH_MAX,
  FILE_NAME_LENGTH_MAX,
  NOTES_LENGTH_MAX,
  SCORE,
  TEAM_NAME_LENGTH,
  UPLOAD_BYTES_MAX,
} from '../limits.ts'
import { Count, Id, idSchema, ids, line, Link, PageSince, text, Timestamp } from '../primitives.ts'
import { lineOf } from '../patterns.ts'
import { searchIn } from '../search.ts'
import { limitText, rangeText } from '../registered-messages.ts'

export const SUBMISSION_STATUSES = ['pending', 'approved', 'rejected'] as const
export const SUBMISSION_TYPES = ['link', 'upload'] as const
export const SubmissionStatus = z.enum(SUBMISSION_STATUSES).meta({ id: 'SubmissionStatus' })
export type SubmissionStatus = z.output<typeof SubmissionStatus>

const FileInfo = z
  .object({ originalName: z.string(), fileSize: Count.describe('Bytes'), mimeType: z.string() })
  .meta({ id: 'FileInfo' })

export const THUMBNAIL_TYPES = ['image/avif', 'image/webp'] as const
const Thumbnail = z
  .object({ url: z.string(), width: Count, height: Count, type: z.enum(THUMBNAIL_TYPES) })
  .meta({ id: 'Thumbnail' })

/** A picture, or the first page of a document, made in the background from a submission's file. */
export const Preview = z
  .object({
    thumbnails: z.array(Thumbnail).describe('Each size as AVIF and as WebP, small before large'),
    color: z.string().describe('Its mean colour as #rrggbb, to show until a thumbnail is loaded'),
    pageCount: Count.nullable().describe('The pages of a PDF; null for a picture'),
  })
  .meta({ id: 'Preview' })
export type Preview = z.output<typeof Preview>

export const Submission = z
  .object({
    ...ids,
    challengeId: z.object({ ...ids, title: z.string(), points: Count }),
    teamId: z.object({ ...ids, name: z.string() }),
    submittedBy: z
      .object({
        id: z.uuid(),
        name: z.string(),
        email: z.string().optional().describe('For the team’s members and administrators'),
      })
      .nullable()
      .describe('Null if the account was deleted'),
    type: z.enum(SUBMISSION_TYPES),
    content: z.string().describe('The link, or the URL of the file'),
    fileInfo: FileInfo.nullable(),
    preview: Preview.nullable().describe('Null until it is made, and for links and files of which none can be made'),
    metadata: z.object({
      submissionNotes: z
        .string()
        .describe('What the team wrote about its work; empty if nothing, and for callers who may not read it'),
    }),
    status: SubmissionStatus,
    score: Count.nullable(),
    points: Count.nullable().describe('Points of an approved submission'),
    feedback: z.string().nullable(),
    evaluatedBy: z.object({ id: z.uuid(), name: z.string() }).nullable(),
    createdAt: Timestamp,
    resubmittedAt: Timestamp.nullable().describe(
      'When the team last submitted it again after a rejection; null if it never did, and for others than the team’s members and administrators',
    ),
    updatedAt: Timestamp.describe(
      'When it was submitted, evaluated, reset or resubmitted last, its preview was made, or an account that it names was deleted; not when the team, challenge or submitter is renamed',
    ),
    evaluatedAt: Timestamp.nullable(),
    canEvaluate: z
      .boolean()
      .optional()
      .describe(
        'For administrators, in the lists of all and of pending submissions and in one submission: false if they are or were in the team',
      ),
  })
  .meta({ id: 'Submission' })
export type Submission = z.output<typeof Submission>

/** `file` is a synonym of `upload`. */
const TypeInput = z
  .enum(['link', 'upload', 'file'], 'Please choose a link or a file')
  .transform((type): 'link' | 'upload' => (type === 'link' ? 'link' : 'upload'))

const Notes = text()
  .max(NOTES_LENGTH_MAX, limitText('Notes cannot exceed {n} characters', NOTES_LENGTH_MAX))
  .default('')

export const ApplyInput = z.object({
  id: Id,
  teamId: idSchema('Please select a team'),
  type: TypeInput,
  content: Link.describe('The link, or the `secureUrl` of a file the caller has uploaded'),
  applicationNotes: Notes,
  fileInfo: z
    .strictObject({
      originalName: z.string().max(FILE_NAME_LENGTH_MAX),
      fileSize: z.int().min(0).max(UPLOAD_BYTES_MAX),
      mimeType: z.string().max(100),
    })
    .partial()
    .nullable()
    .optional()
    .describe('Ignored: the stored upload’s own values are used'),
})
export type ApplyInput = z.output<typeof ApplyInput>

export const SubmitInput = ApplyInput.omit({ teamId: true, applicationNotes: true }).extend({
  teamName: line('Please enter team name')
    .min(1, 'Please enter team name')
    .max(TEAM_NAME_LENGTH.max, limitText('Team name cannot exceed {n} characters', TEAM_NAME_LENGTH.max))
    .meta({ pattern: lineOf(1), example: 'Atlas Lions' }),
  submissionNotes: Notes,
})
export type SubmitInput = z.output<typeof SubmitInput>

export const SubmissionStats = z
  .object({
    totalSubmissions: Count,
    pendingSubmissions: Count,
    approvedSubmissions: Count,
    rejectedSubmissions: Count,
    averageScore: z.number().nullable().describe('Of the approved submissions; null if there are none'),
  })
  .meta({ id: 'SubmissionStats' })
export type SubmissionStats = z.output<typeof SubmissionStats>

export const WORK_SORTS = ['newest', 'oldest', 'highest'] as const

export const SubmissionListInput = z.object({
  ...PageSince,
  status: SubmissionStatus.optional().describe('Only submissions with this status'),
  teamId: Id.optional().describe('Only submissions of this team'),
  challengeId: Id.optional().describe('Only submissions to this challenge'),
  search: searchIn('the names of team, challenge or submitter'),
  sort: z.enum(WORK_SORTS).default('newest').describe('What they are sorted by'),
})

export const WorksInput = z.object({
  ...PageSince,
  search: searchIn('the names of team or challenge'),
  sort: z.enum(WORK_SORTS).default('newest').describe('What they are sorted by'),
})

const INVALID_SCORE = rangeText('Please enter a valid score ({min}-{max})', SCORE)
export const EvaluateInput = z
  .object({
    id: Id,
    status: z.enum(['approved', 'rejected'], 'Please choose approved or rejected'),
    score: z
      .int(INVALID_SCORE)
      .min(SCORE.min, INVALID_SCORE)
      .max(SCORE.max, INVALID_SCORE)
      .optional()
      .describe('Required when approved'),
    feedback: text()
      .max(FEEDBACK_LENGTH_MAX, limitText('Feedback cannot exceed {n} characters', FEEDBACK_LENGTH_MAX))
      .default(''),
  })
  .refine((input) => input.status !== 'approved' || input.score !== undefined, {
    path: ['score'],
    error: INVALID_SCORE,
  })
  .meta({
    // Redocly treats `if` and `then` as closed objects unless they set `additionalProperties`.
    if: { properties: { status: { const: 'approved' } }, required: ['status'], additionalProperties: true },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's keyword
    then: { properties: { score: { type: 'integer' } }, required: ['score'], additionalProperties: true },
  })
export type EvaluateInput = z.output<typeof EvaluateInput>
