import { prepared } from '@community/db'
import { jobs } from '@community/db/schema'
import { and, inArray, sql } from 'drizzle-orm'

export const MAIL_KINDS = ['mail', 'notification-mail', 'notification-digest']

// The statuses are literals, as in the partial indexes.
export const pendingMails = prepared('metrics.pending-mails', (db) =>
  db
    .select({
      count: sql<number>`count(*)::int`,
      // Mails of notifications may wait for the end of quiet hours.
      oldestSeconds: sql<number>`coalesce(extract(epoch from now() - min(${jobs.createdAt})
        filter (where ${jobs.kind} = 'mail')), 0)::float8`,
    })
    .from(jobs)
    .where(and(inArray(jobs.kind, MAIL_KINDS), sql`${jobs.status} = 'pending'`)),
)

export const deadJobs = prepared('metrics.dead-jobs', (db) =>
  db
    .select({ kind: jobs.kind, count: sql<number>`count(*)::int` })
    .from(jobs)
    .where(sql`${jobs.status} = 'dead'`)
    .groupBy(jobs.kind),
)
