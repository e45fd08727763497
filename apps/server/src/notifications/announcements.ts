import { type Announcement, appErrors, type contract } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { audit } from '../admin/audit.ts'
import { lockChallenge, readDatabaseClock } from '../challenges/commands.ts'
import { findChallenge } from '../challenges/queries.ts'
import { AppError } from '../errors.ts'
import { enqueue, wakeWorkers } from '../jobs/queue.ts'
import { toPagination } from '../pagination/keyset.ts'
import { lockAdmin } from '../users/lock-user.ts'
import {
  type AnnouncementRow,
  deleteAnnouncementRow,
  findAnnouncements,
  insertAnnouncement,
  lockAnnouncement,
} from './announcement-commands.ts'
import { countAudience } from './audience-commands.ts'
import { ANNOUNCEMENT_JOB, audienceOf } from './publish-announcement.ts'

const toAnnouncement = (
  { challengeId, startedAt, sentAt, createdBy, ...row }: AnnouncementRow,
  { challengeTitle, authorName, isDue }: { challengeTitle: string | null; authorName: string | null; isDue: boolean },
): Announcement => ({
  ...row,
  _id: row.id,
  challenge: challengeId === null ? null : { id: challengeId, _id: challengeId, title: challengeTitle ?? '' },
  createdBy: createdBy === null ? null : { id: createdBy, name: authorName ?? '' },
  state: sentAt ? 'sent' : startedAt || isDue ? 'sending' : 'scheduled',
  publishAt: row.publishAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
})

export const listAnnouncements: UseCase<typeof contract.admin.announcements> = async ({ db }, input) => {
  const page = await findAnnouncements(db, input)
  const announcements = page.rows.map(({ announcement, ...names }) => toAnnouncement(announcement, names))
  return { announcements, pagination: toPagination(input, page) }
}

export const countRecipients: UseCase<typeof contract.admin.countRecipients> = async (
  { db, user },
  { audience, ...input },
) => {
  const challengeId = input.challengeId ?? null
  if (challengeId !== null && !(await findChallenge(db, challengeId)))
    throw new AppError({ ...appErrors.challengeMissing, path: 'challengeId' })
  return { recipients: await countAudience(db, audienceOf(audience, challengeId), user.id) }
}

/** Stores an announcement and the job that publishes it. The password is already verified. */
export const announce: UseCase<typeof contract.admin.announce> = async (
  ctx,
  { password: _password, publishAt, ...input },
) => {
  const challengeId = input.challengeId ?? null
  const announcement = await inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const challenge = challengeId === null ? null : await lockChallenge(tx, challengeId)
    if (challenge === undefined) throw new AppError({ ...appErrors.challengeMissing, path: 'challengeId' })
    const now = await readDatabaseClock(tx)
    const at = publishAt === undefined ? now : new Date(publishAt)
    if (at < now) throw new AppError(appErrors.publishAtPast)
    const row = await insertAnnouncement(tx, { ...input, challengeId, createdBy: ctx.user.id, publishAt: at })
    const delay = (at.getTime() - now.getTime()) / 1000
    await enqueue(tx, ctx.deps, { kind: ANNOUNCEMENT_JOB, payload: { id: row.id }, delay })
    await audit(tx, ctx, {
      action: 'admin.announce',
      targetId: row.id,
      details: { title: row.title, audience: row.audience, challengeId, publishAt: row.publishAt.toISOString() },
    })
    const names = { challengeTitle: challenge?.title ?? null, authorName: ctx.user.name, isDue: at <= now }
    return toAnnouncement(row, names)
  })
  wakeWorkers()
  return { announcement }
}

/** Deletes an announcement that is not published yet; its job then finds none. The password is already verified. */
export const cancelAnnouncement: UseCase<typeof contract.admin.cancelAnnouncement> = (ctx, { id }) =>
  inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const row = await lockAnnouncement(tx, id)
    if (!row) throw new AppError(appErrors.announcementMissing)
    if (row.startedAt) throw new AppError(appErrors.announcementSent)
    await deleteAnnouncementRow(tx, id)
    await audit(tx, ctx, { action: 'admin.cancelAnnouncement', targetId: id, details: { title: row.title } })
    return {}
  })
