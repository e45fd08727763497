import type { Audience as AudienceName } from '@community/contract'
import { onlyRow, prepared, type Reader, type Tx } from '@community/db'
import { announcements, challenges, users } from '@community/db/schema'
import { count, eq, sql } from 'drizzle-orm'
import { type PageInput, preparePages, withTotal } from '../pagination/keyset.ts'
import { listOrder } from '../pagination/list-order.ts'

export type AnnouncementRow = typeof announcements.$inferSelect

interface NewAnnouncement {
  title: string
  body: string
  audience: AudienceName
  challengeId: string | null
  createdBy: string
  publishAt: Date
}

export async function insertAnnouncement(tx: Tx, announcement: NewAnnouncement): Promise<AnnouncementRow> {
  return onlyRow(await tx.insert(announcements).values(announcement).returning())
}

/** Locks an announcement; undefined when it was deleted. */
export async function lockAnnouncement(tx: Tx, id: string): Promise<AnnouncementRow | undefined> {
  const [row] = await tx.select().from(announcements).where(eq(announcements.id, id)).for('update')
  return row
}

export const deleteAnnouncementRow = (tx: Tx, id: string): Promise<unknown> =>
  tx.delete(announcements).where(eq(announcements.id, id))

/** Adds the people that a batch has notified to an announcement’s count of recipients. */
export const recordBatch = (
  tx: Tx,
  id: string,
  { added, isLast }: { added: number; isLast: boolean },
): Promise<unknown> =>
  tx
    .update(announcements)
    .set({
      startedAt: sql`coalesce(${announcements.startedAt}, now())`,
      recipients: sql`${announcements.recipients} + ${added}`,
      ...(isLast && { sentAt: sql`now()` }),
    })
    .where(eq(announcements.id, id))

const newestFirst = listOrder('admin.announcements', [
  { expression: announcements.createdAt, type: 'timestamptz', direction: 'desc nulls last' },
  { expression: announcements.id, type: 'uuid' },
])
const announcementPages = preparePages('admin.announcements', newestFirst, (db, { after, limit, offset }) =>
  db
    .select({
      announcement: announcements,
      challengeTitle: challenges.title,
      authorName: users.name,
      isDue: sql<boolean>`${announcements.publishAt} <= now()`,
      key: newestFirst.key,
    })
    .from(announcements)
    .leftJoin(challenges, eq(challenges.id, announcements.challengeId))
    .leftJoin(users, eq(users.id, announcements.createdBy))
    .where(after)
    .orderBy(...newestFirst.orderBy)
    .limit(limit)
    .offset(offset),
)
const announcementTotal = prepared('admin.announcement-count', (db) =>
  db.select({ total: count() }).from(announcements),
)

/** A page of announcements, newest first, and their total. */
export const findAnnouncements = (db: Reader, paging: PageInput) =>
  withTotal(announcementPages(db, paging), announcementTotal(db))
