import {
  CATEGORIES,
  DIFFICULTIES,
  type Preview,
  type Resource,
  SUBMISSION_STATUSES,
  SUBMISSION_TYPES,
} from '@community/contract'
import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { timestamptz, users } from './accounts.ts'
import { teams } from './teams.ts'

export const category = pgEnum('category', CATEGORIES)
export const difficulty = pgEnum('difficulty', DIFFICULTIES)
export const submissionType = pgEnum('submission_type', SUBMISSION_TYPES)
export const submissionStatus = pgEnum('submission_status', SUBMISSION_STATUSES)

export const challenges = pgTable(
  'challenges',
  {
    id: uuid().primaryKey().defaultRandom(),
    title: text().notNull(),
    description: text().notNull(),
    requirements: text().array().notNull(),
    deadline: timestamptz().notNull(),
    points: integer().notNull(),
    category: category().notNull(),
    difficulty: difficulty().notNull(),
    tags: text().array().notNull().default(sql`'{}'`),
    maxSubmissions: integer().notNull().default(1),
    evaluationCriteria: text().array().notNull().default(sql`'{}'`),
    resources: jsonb().$type<Resource[]>().notNull().default([]),
    isActive: boolean().notNull().default(true),
    /** When it was deleted, if a job still deletes its submissions; the row is deleted after the last of them. */
    deletedAt: timestamptz(),
    /** Updated in the transaction that adds or removes a submission, under this row's lock. */
    submissionCount: integer().notNull().default(0),
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    searchText: text().notNull().default(''),
    createdAt: timestamptz().notNull().defaultNow(),
    updatedAt: timestamptz().notNull().defaultNow(),
  },
  (t) => [
    index('challenges_deadline').on(t.isActive, t.deadline, t.id),
    index('challenges_category').on(t.category, t.deadline),
    index('challenges_difficulty').on(t.difficulty, t.deadline),
    index('challenges_created_by').on(t.createdBy),
    index('challenges_search').using('gin', sql`${t.searchText} gin_trgm_ops`),
    // Created by `migrate` with CREATE INDEX CONCURRENTLY.
    index('challenges_word_starts').using('gin', sql`word_starts(${t.searchText})`),
    check('challenges_points', sql`${t.points} between 1 and 1000`),
    check('challenges_max_submissions', sql`${t.maxSubmissions} between 1 and 5`),
    check('challenges_submission_count', sql`${t.submissionCount} >= 0`),
    check('challenges_requirements', sql`cardinality(${t.requirements}) > 0`),
  ],
)

/** The preview of a file as stored: its thumbnails are in the storage, under keys derived from the file's. */
export interface StoredPreview extends Omit<Preview, 'thumbnails'> {
  thumbnails: (Omit<Preview['thumbnails'][number], 'url'> & { name: string; size: number })[]
}

/** A stored file; its bytes are in the storage under `key`. */
export const uploads = pgTable(
  'uploads',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The unguessable part of its URL, and its key in the storage. */
    key: text().notNull(),
    userId: uuid().references(() => users.id, { onDelete: 'set null' }),
    originalName: text().notNull(),
    size: integer().notNull(),
    mimeType: text().notNull(),
    /** When it was used for a submission or as an avatar; null for an orphan, which is deleted after a day. */
    attachedAt: timestamptz(),
    /** Made by a job after the file was used for a submission. */
    preview: jsonb().$type<StoredPreview>(),
    createdAt: timestamptz().notNull().defaultNow(),
  },
  (t) => [
    unique('uploads_key').on(t.key),
    index('uploads_user').on(t.userId, t.createdAt),
    index('uploads_orphans').on(t.createdAt).where(sql`${t.attachedAt} is null`),
  ],
)

export const submissions = pgTable(
  'submissions',
  {
    id: uuid().primaryKey().defaultRandom(),
    challengeId: uuid()
      .notNull()
      .references(() => challenges.id, { onDelete: 'cascade' }),
    teamId: uuid()
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    submittedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    type: submissionType().notNull(),
    /** The link, or the URL of the file. */
    content: text().notNull(),
    uploadId: uuid().references(() => uploads.id, { onDelete: 'restrict' }),
    notes: text().notNull().default(''),
    status: submissionStatus().notNull().default('pending'),
    score: integer(),
    /** Points awarded at the approval. */
    points: integer(),
    feedback: text(),
    evaluatedBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    evaluatedAt: timestamptz(),
    createdAt: timestamptz().notNull().defaultNow(),
    /** When it was last submitted again after a rejection: from then on it waits for its verdict. */
    resubmittedAt: timestamptz(),
    updatedAt: timestamptz().notNull().defaultNow(),
  },
  (t) => [
    unique('submissions_upload_once').on(t.uploadId),
    index('submissions_team_challenge').on(t.teamId, t.challengeId, t.status),
    index('submissions_challenge').on(t.challengeId, t.createdAt.desc(), t.id),
    index('submissions_team').on(t.teamId, t.createdAt.desc(), t.id),
    index('submissions_newest').on(t.createdAt.desc(), t.id),
    // Used only by the previous version. Drop it in the next release.
    index('submissions_pending').on(t.createdAt, t.id).where(sql`${t.status} = 'pending'`),
    index('submissions_works_newest').on(t.createdAt.desc(), t.id).where(sql`${t.status} = 'approved'`),
    index('submissions_works_best').on(t.score.desc(), t.createdAt, t.id).where(sql`${t.status} = 'approved'`),
    index('submissions_submitted_by').on(t.submittedBy),
    // These six are created by `migrate` with CREATE INDEX CONCURRENTLY.
    index('submissions_best').on(sql`(-coalesce(${t.score}, 0))`, t.createdAt, t.id),
    index('submissions_rejected').on(t.createdAt.desc(), t.id).where(sql`${t.status} = 'rejected'`),
    index('submissions_waiting')
      .on(sql`coalesce(${t.resubmittedAt}, ${t.createdAt})`, t.id)
      .where(sql`${t.status} = 'pending'`),
    index('submissions_approved_of_challenge').on(t.challengeId, t.evaluatedAt).where(sql`${t.status} = 'approved'`),
    index('submissions_approved_latest').on(t.evaluatedAt, t.challengeId).where(sql`${t.status} = 'approved'`),
    index('submissions_updated').on(t.updatedAt),
    index('submissions_evaluated_by').on(t.evaluatedBy),
    check('submissions_upload', sql`(${t.type} = 'upload') = (${t.uploadId} is not null)`),
    check('submissions_score', sql`(${t.status} = 'approved') = (${t.score} is not null)`),
    check('submissions_points', sql`(${t.status} = 'approved') = (${t.points} is not null)`),
    check('submissions_score_range', sql`${t.score} between 1 and 100 and ${t.points} >= 0`),
    check('submissions_verdict', sql`(${t.status} = 'pending') = (${t.evaluatedAt} is null)`),
  ],
)

/** The team's members when it applied: nobody may be in two teams that applied to one challenge. */
export const submissionMembers = pgTable(
  'submission_members',
  {
    submissionId: uuid()
      .notNull()
      .references(() => submissions.id, { onDelete: 'cascade' }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ name: 'submission_members_pk', columns: [t.submissionId, t.userId] }),
    index('submission_members_user').on(t.userId),
  ],
)

export const pointsReason = pgEnum('points_reason', ['award', 'reset', 'removal'])

/** Every change of a team's points; their sum is the team's total. */
export const pointsLedger = pgTable(
  'points_ledger',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    teamId: uuid()
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    challengeId: uuid().references(() => challenges.id, { onDelete: 'set null' }),
    submissionId: uuid().references(() => submissions.id, { onDelete: 'set null' }),
    reason: pointsReason().notNull(),
    /** The change of the team's points; 0 if another submission for the challenge has more. */
    delta: integer().notNull(),
    createdAt: timestamptz().notNull().defaultNow(),
  },
  (t) => [
    index('points_ledger_team').on(t.teamId, t.createdAt),
    index('points_ledger_challenge').on(t.challengeId),
    index('points_ledger_submission').on(t.submissionId),
  ],
)
