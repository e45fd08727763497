import { limits, NOTIFICATION_KIND_NAMES } from '@community/contract'
import { isoText, prepared, rawQuery, type Reader, type Tx } from '@community/db'
import {
  announcements,
  challengeReminders,
  challenges,
  mailBounces,
  notificationPreferences,
  notifications,
  notificationSettings,
  submissions,
  teamMembers,
  teams,
  users,
} from '@community/db/schema'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { type PageInput, preparePages } from '../pagination/keyset.ts'
import { listOrder } from '../pagination/list-order.ts'
import type { DueReminder } from './remind.ts'

/**
 * Limits a query to kinds that this version can show. After a rollback, or while a new version is rolled out, there are others, which
 * wait for a server that knows them.
 */
export const knownKindCondition = sql`${notifications.kind} in (${sql.raw(
  NOTIFICATION_KIND_NAMES.map((kind) => `'${kind}'`).join(', '),
)})`

/**
 * Whether a notification still applies. Only a reminder of a deadline can stop applying: when the challenge has closed, is inactive or has
 * another deadline, or when every team that the recipient gets reminders for has applied or is inactive. `remindedCondition` selects the
 * recipients by the same rule.
 */
export const stillTrueCondition = sql`(${notifications.kind} <> 'challenge.reminder' or exists (
  select from ${challengeReminders} reminder
  join ${challenges} challenge on challenge.id = reminder.challenge_id and challenge.is_active
  join ${teams} team on team.id = reminder.team_id and team.is_active
  join ${teamMembers} member on member.team_id = team.id and member.user_id = ${notifications.userId}
  where challenge.id = ${notifications.challengeId} and challenge.deadline > now()
    and challenge.deadline = (${notifications.params} ->> 'deadline')::timestamptz
    and not exists (select from ${submissions} where team_id = team.id and challenge_id = challenge.id)))`

const ofUser = eq(notifications.userId, sql.placeholder('userId'))
// Literals, as in the partial indexes.
const listedCondition = and(ofUser, sql`${notifications.isInApp}`, knownKindCondition)
const unreadCondition = sql`${notifications.readAt} is null`

// Feedback is for the team's members only: a person who has left no longer sees it.
const readableParams = sql`case when ${notifications.kind} = 'submission.rejected' and not exists (
    select from ${teamMembers} member where member.team_id = ${notifications.teamId} and member.user_id = ${notifications.userId})
  then jsonb_set(${notifications.params}, '{feedback}', 'null') else ${notifications.params} end`
  .mapWith(notifications.params)
  .as('readable_params')

const newestFirst = listOrder('notifications', [
  { expression: notifications.sequence, type: 'bigint', direction: 'desc nulls last' },
])
const pagesWhere = (name: string, condition?: SQL) =>
  preparePages(name, newestFirst, (db, { after, limit, offset }) =>
    db
      .select({
        id: notifications.id,
        kind: notifications.kind,
        params: readableParams,
        // Null once it is deleted.
        teamId: teams.id,
        challengeId: challenges.id,
        submissionId: submissions.id,
        body: announcements.body,
        createdAt: notifications.createdAt,
        readAt: notifications.readAt,
        key: newestFirst.key,
      })
      .from(notifications)
      .leftJoin(teams, eq(teams.id, notifications.teamId))
      .leftJoin(challenges, and(eq(challenges.id, notifications.challengeId), isNull(challenges.deletedAt)))
      .leftJoin(submissions, eq(submissions.id, notifications.submissionId))
      .leftJoin(announcements, eq(announcements.id, notifications.announcementId))
      .where(and(listedCondition, condition, after))
      .orderBy(...newestFirst.orderBy)
      .limit(limit)
      .offset(offset),
  )
const pages = {
  all: pagesWhere('notifications.all'),
  unread: pagesWhere('notifications.unread', unreadCondition),
  read: pagesWhere('notifications.read', sql`not ${unreadCondition}`),
}
export type ListedNotification = Awaited<ReturnType<typeof findNotifications>>['rows'][number]

/** A page of somebody’s notifications, newest first; those turned off in the app are omitted. */
export const findNotifications = (
  db: Reader,
  userId: string,
  { unread, ...paging }: Omit<PageInput, 'page'> & { unread?: boolean | undefined },
) => pages[unread === undefined ? 'all' : unread ? 'unread' : 'read'](db, { ...paging, page: 1 }, { userId })

const unreadCount = prepared('notifications.count-unread', (db) => {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(notifications)
    .where(and(listedCondition, unreadCondition))
    .limit(sql.raw(String(limits.UNREAD_COUNT_MAX)) as never)
    .as('some')
  return db.select({ total: sql<number>`count(*)::int` }).from(some)
})
/** Unread notifications, counted up to `UNREAD_COUNT_MAX`. */
export async function countUnread(db: Reader, userId: string): Promise<number> {
  const [row] = await unreadCount(db, { userId })
  return row?.total ?? 0
}

const settingsByUser = prepared('notifications.settings', (db) =>
  db
    .select({
      language: users.language,
      digestHour: notificationSettings.digestHour,
      digestWeekday: notificationSettings.digestWeekday,
      quietFrom: notificationSettings.quietFrom,
      quietTo: notificationSettings.quietTo,
      timeZone: notificationSettings.timeZone,
      mailPausedAt: mailBounces.pausedAt,
    })
    .from(users)
    .leftJoin(notificationSettings, eq(notificationSettings.userId, users.id))
    .leftJoin(mailBounces, and(eq(mailBounces.userId, users.id), eq(mailBounces.email, users.email)))
    .where(eq(users.id, sql.placeholder('userId'))),
)
/** The language of an account, its settings (null if it has never changed them), and since when its mails are paused. */
export async function findSettings(db: Reader, userId: string) {
  const [row] = await settingsByUser(db, { userId })
  return row
}
export type SettingsRow = NonNullable<Awaited<ReturnType<typeof findSettings>>>

/** The channels that somebody has changed. */
export const findPreferences = prepared('notifications.preferences', (db) =>
  db
    .select()
    .from(notificationPreferences)
    .where(eq(notificationPreferences.userId, sql.placeholder('userId'))),
)
export type PreferenceRow = typeof notificationPreferences.$inferSelect

/** Of these notifications, those that the user can see, with their place in the list. */
export const findOwnNotifications = (db: Reader, userId: string, ids: string[]) =>
  db
    .select({ id: notifications.id, sequence: notifications.sequence })
    .from(notifications)
    .where(
      and(
        eq(notifications.userId, userId),
        sql`${notifications.isInApp}`,
        knownKindCondition,
        inArray(notifications.id, ids),
      ),
    )

const steps = sql.join(
  Object.entries(limits.REMINDER_STEPS).map(([step, seconds]) => sql.raw(`('${step}', ${seconds})`)),
  sql`, `,
)
const dueReminders = prepared(
  'notifications.due-reminders',
  rawQuery<Omit<DueReminder, 'deadline'> & { deadline: string }>(sql`
    select ${challenges.id} as "challengeId", ${challenges.title} as challenge,
      ${isoText(challenges.deadline)} as deadline, step
    from ${challenges}, (values ${steps}) as steps(step, seconds)
    where ${challenges.isActive} and ${challenges.deadline} > now() and ${challenges.deadline} <= now() + interval '3 days'
      and ${challenges.deadline} - make_interval(secs => seconds)
        between now() - make_interval(secs => seconds / 8.0) and now()
      and exists (select from ${challengeReminders} where challenge_id = ${challenges.id})
    order by ${challenges.id}`),
)
/** The reminders that are due. After an outage the server sends them late, unless their text would no longer be true. */
export const findDueReminders = async (tx: Tx): Promise<DueReminder[]> =>
  (await dueReminders(tx)).map(({ deadline, ...due }) => ({ ...due, deadline: new Date(deadline) }))

const remindedTeams = prepared('notifications.reminded-teams', (db) =>
  db
    .select({ teamId: challengeReminders.teamId })
    .from(challengeReminders)
    .innerJoin(teamMembers, eq(teamMembers.teamId, challengeReminders.teamId))
    .where(
      and(
        eq(challengeReminders.challengeId, sql.placeholder('challengeId')),
        eq(teamMembers.userId, sql.placeholder('userId')),
      ),
    )
    .orderBy(asc(challengeReminders.teamId)),
)
/** The user’s teams that are reminded of a challenge’s deadline. */
export const findRemindedTeams = async (db: Reader, challengeId: string, userId: string): Promise<string[]> =>
  (await remindedTeams(db, { challengeId, userId })).map(({ teamId }) => teamId)
