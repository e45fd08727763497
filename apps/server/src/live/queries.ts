import type { NotificationKindName } from '@community/contract'
import { type Db, prepared } from '@community/db'
import { challenges, notifications, submissions, teamMembers, teams } from '@community/db/schema'
import { sql, type SQL } from 'drizzle-orm'
import { versionColumns } from '../database/version-columns.ts'
import { knownKindCondition } from '../notifications/queries.ts'

/** The state of the database: equal texts mean that nothing was committed and no deadline has passed. */
export const selectState = prepared('live.state', (db) =>
  db
    .select({
      ...versionColumns,
      time: sql<string>`clock_timestamp()::text`,
      sequence: sql<number>`(
        select case when is_called then last_value else 0 end from notifications_sequence_seq)::float8`,
    })
    .from(sql`(select 1) as one`),
)

/** The sequence of the newest notification older than a minute: the first watermark, because no transaction takes that long to commit an earlier one. */
export const selectEarlierSequence = prepared('live.earlier-sequence', (db) =>
  db
    .select({ sequence: notifications.sequence })
    .from(notifications)
    .where(sql`${notifications.createdAt} < now() - interval '1 minute'`)
    .orderBy(sql`${notifications.createdAt} desc`)
    .limit(1),
)

/** Teams changed since a time; `standing` is what the leaderboard shows of a team. */
export const selectTeamsSince = prepared('live.teams', (db) =>
  db
    .select({
      id: teams.id,
      version: sql<string>`${teams.updatedAt}::text`,
      standing: sql<string>`concat_ws(' ', ${teams.points}, ${teams.challengesCompleted}, ${teams.isActive}, ${teams.nameKey})`,
    })
    .from(teams)
    .where(sql`${teams.updatedAt} > ${sql.placeholder('time')}::text::timestamptz`),
)

export const selectSubmissionsSince = prepared('live.submissions', (db) =>
  db
    .select({
      id: submissions.id,
      version: sql<string>`${submissions.updatedAt}::text`,
      teamId: submissions.teamId,
      status: submissions.status,
    })
    .from(submissions)
    .where(sql`${submissions.updatedAt} > ${sql.placeholder('time')}::text::timestamptz`),
)

/** Totals that change with every write to a challenge, and with deletions of teams and submissions. */
export const selectTotals = prepared('live.totals', (db) =>
  db
    .select({
      challenges: sql<string>`(
        select concat_ws(' ', count(*), sum(hashtext(${challenges.id}::text || ${challenges}.xmin::text))) from ${challenges}
        where ${challenges.deletedAt} is null)`,
      teams: sql<string>`(select sum(amount) from counts where name in ('teams_active', 'teams_inactive'))::text`,
      submissions: sql<string>`(
        select sum(amount) from counts where name in ('submissions_pending', 'submissions_approved', 'submissions_rejected'))::text`,
      works: sql<string>`(select sum(amount) from counts where name = 'submissions_approved')::text`,
    })
    .from(sql`(select 1) as one`),
)

/** The members of teams. */
export const selectMembers = (db: Db, teamIds: readonly string[]) =>
  db
    .select({ teamId: teamMembers.teamId, userId: teamMembers.userId })
    .from(teamMembers)
    .where(sql`${teamMembers.teamId} in (${selectIds(teamIds)})`)

export interface NotificationRow {
  id: string
  userId: string
  kind: NotificationKindName
  sequence: number
}

/** Notifications that a stream sends at once, at most. */
export const NOTIFICATIONS_MAX = 100

/** The notifications of each person after a sequence: the newest, one more than `NOTIFICATIONS_MAX`, oldest first. */
export async function findNotificationsAfter(
  db: Db,
  after: readonly { userId: string; low: number }[],
): Promise<NotificationRow[]> {
  if (after.length === 0) return []
  const rows = await db.execute<{ id: string; userId: string; kind: NotificationKindName; sequence: number }>(sql`
    select n.id, u.user_id as "userId", n.kind, n.sequence::float8 as sequence
    from json_to_recordset(${JSON.stringify(after.map(({ userId, low }) => ({ user_id: userId, low })))}::json)
      as u(user_id uuid, low bigint)
    cross join lateral (
      select id, kind, sequence from notifications
      where user_id = u.user_id and is_in_app and ${knownKindCondition} and sequence > u.low
      order by sequence desc limit ${NOTIFICATIONS_MAX + 1}) as n
    order by n.sequence`)
  return [...rows]
}

/** The sign-ins and personal access tokens among these that are still valid, with their owner's role. */
export async function findValidSessions(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.execute<{ id: string; role: string }>(sql`
    select f.id, u.role from refresh_families f join users u on u.id = f.user_id
    where f.id in (${selectIds(ids)}) and f.revoked_at is null and f.expires_at > now() and not u.is_banned
    union all
    select p.id, u.role from personal_tokens p join users u on u.id = p.user_id
    where p.id in (${selectIds(ids)}) and (p.expires_at is null or p.expires_at > now()) and not u.is_banned`)
  return new Map(rows.map(({ id, role }) => [id, role]))
}

/** One parameter for any number of ids. */
function selectIds(ids: readonly string[]): SQL {
  return sql`select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::json)`
}
