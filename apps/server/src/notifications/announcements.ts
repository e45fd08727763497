import {
  type Announcement,
  appErrors,
  type contract,
  type EmptyData,
  type Output,
  type ParsedInput,
} from '@community/contract'
import { inTransaction } from '@community/db'
import { audit } from '../admin/audit.ts'
import { lockChallenge, readDatabaseClock } from '../challenges/commands.ts'
import { findChallenge } from '../challenges/queries.ts'
import type { AuthenticatedContext } from '../context.ts'
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

type AdminRoutes = typeof contract.admin

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

export async function listAnnouncements(
  { db }: AuthenticatedContext,
  input: ParsedInput<AdminRoutes['announcements']>,
): Promise<Output<AdminRoutes['announcements']>> {
  const page = await findAnnouncements(db, input)
  const announcements = page.rows.map(({ announcement, ...names }) => toAnnouncement(announcement, names))
  return { announcements, pagination: toPagination(input, page) }
}

export async function countRecipients(
  { db, user }: AuthenticatedContext,
  { audience, ...input }: ParsedInput<AdminRoutes['countRecipients']>,
): Promise<Output<AdminRoutes['countRecipients']>> {
  const challengeId = input.challengeId ?? null
  if (challengeId !== null && !(await findChallenge(db, challengeId)))
    throw new AppError({ ...appErrors.challengeMissing, path: 'challengeId' })
  return { recipients: await countAudience(db, audienceOf(audience, challengeId), user.id) }
}

/** Stores an announcement and the job that publishes it. The password is already verified. */
export async function announce(
  ctx: AuthenticatedContext,
  { password: _password, publishAt, ...input }: ParsedInput<AdminRoutes['announce']>,
): Promise<Output<AdminRoutes['announce']>> {
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
export function cancelAnnouncement(
  ctx: AuthenticatedContext,
  { id }: ParsedInput<AdminRoutes['cancelAnnouncement']>,
): Promise<EmptyData> {
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const row = await lockAnnouncement(tx, id)
    if (!row) throw new AppError(appErrors.announcementMissing)
    if (row.startedAt) throw new AppError(appErrors.announcementSent)
    await deleteAnnouncementRow(tx, id)
    await audit(tx, ctx, { action: 'admin.cancelAnnouncement', targetId: id, details: { title: row.title } })
    return {}
  })
}
