import type { Language } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { jobs, notifications, users } from '@community/db/schema'
import { and, count, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { NOTIFICATION_MAIL_JOB } from '../notifications/commands.ts'
import { DIGEST_JOB } from '../notifications/digest-commands.ts'
import { withTotal, preparePages, type PageInput } from '../pagination/keyset.ts'
import { listOrder } from '../pagination/list-order.ts'

const MAIL_KINDS = sql.raw(`'mail', '${NOTIFICATION_MAIL_JOB}', '${DIGEST_JOB}'`)
// Literals, because a generic plan with a status parameter would not use the partial index.
export const deadMailCondition = sql`${jobs.status} = 'dead' and ${jobs.kind} in (${MAIL_KINDS})`
/** The recipient of a mail with notifications. */
const recipientId = sql`case ${jobs.kind}
  when ${sql.raw(`'${NOTIFICATION_MAIL_JOB}'`)} then
    (select ${notifications.userId} from ${notifications} where ${notifications.id} = ${jobs.key}::uuid)
  when ${sql.raw(`'${DIGEST_JOB}'`)} then
    (select ${notifications.userId} from ${notifications} where ${notifications.digestId} = ${jobs.key}::uuid limit 1) end`
const recipientColumn = (column: PgColumn) => sql`(select ${column} from ${users} where ${users.id} = ${recipientId})`
/** Mails store these themselves (constraint `jobs_mail`); mails with notifications take them from their recipient’s account, if it still exists. */
export const mailColumns = {
  template: sql<string>`coalesce(${jobs.template}, ${jobs.kind})`,
  recipient: sql<string>`coalesce(${jobs.recipient}, ${recipientColumn(users.email)}, '')`,
  language: sql<Language>`coalesce(${jobs.language}, ${recipientColumn(users.language)}, 'en')`,
}

const newestFirst = listOrder('admin.mails', [
  { expression: jobs.createdAt, type: 'timestamptz', direction: 'desc nulls last' },
  { expression: jobs.id, type: 'uuid' },
])
const deadMailPages = preparePages('mails.dead', newestFirst, (q, { after, limit, offset }) =>
  q
    .select({
      id: jobs.id,
      ...mailColumns,
      attempts: jobs.attempts,
      lastError: jobs.lastError,
      createdAt: jobs.createdAt,
      key: newestFirst.key,
    })
    .from(jobs)
    .where(and(deadMailCondition, after))
    .orderBy(...newestFirst.orderBy)
    .limit(limit)
    .offset(offset),
)
const deadMailTotal = prepared('mails.dead-count', (q) =>
  q.select({ total: count() }).from(jobs).where(deadMailCondition),
)

/** A page of dead mails and the total. */
export const findDeadMails = (reader: Reader, paging: PageInput) =>
  withTotal(deadMailPages(reader, paging), deadMailTotal(reader))
