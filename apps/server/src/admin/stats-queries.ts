import type { AdminStats, ChallengeTotals } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { challenges, pointsLedger, submissions, users, warnings } from '@community/db/schema'
import { type AnyColumn, sql } from 'drizzle-orm'
import { readCounts } from '../pagination/counts.ts'
import { approvedCondition } from '../submissions/status-conditions.ts'

const oneRow = sql`(select 1) as one`
const interval = (number: number) => sql`make_interval(days => ${sql.raw(String(number))})`
const createdBetween = (column: AnyColumn, from: number, to: number) =>
  sql`${column} > now() - ${interval(from)} and ${column} <= now() - ${interval(to)}`

const trends = prepared('admin.trends', (db) => {
  const countCreated = (table: typeof users | typeof submissions, from: number, to: number) =>
    sql<number>`(select count(*)::int from ${table} where ${createdBetween(table.createdAt, from, to)})`
  return db
    .select({
      totalChallenges: sql<number>`(select count(*)::int from ${challenges})`.as('total_challenges'),
      warningCount: sql<number>`(select count(*)::int from ${warnings})`.as('warning_count'),
      usersNow: countCreated(users, 30, 0).as('users_now'),
      usersBefore: countCreated(users, 60, 30).as('users_before'),
      submissionsNow: countCreated(submissions, 30, 0).as('submissions_now'),
      submissionsBefore: countCreated(submissions, 60, 30).as('submissions_before'),
    })
    .from(oneRow)
})
/** Totals, and the numbers of new users and submissions in the last 30 days and the 30 before. */
export async function findCounts(db: Reader) {
  const [[row], count] = await Promise.all([trends(db), readCounts(db)])
  if (!row) throw new Error('an aggregate returned no row')
  const bannedUsers = count('users_banned')
  const activeTeams = count('teams_active')
  return {
    ...row,
    bannedUsers,
    totalUsers: bannedUsers + count('users_in_good_standing'),
    activeTeams,
    totalTeams: activeTeams + count('teams_inactive'),
  }
}

const challengeTotals = prepared('admin.challenges.totals', (db) =>
  db
    .select({
      total: sql<number>`count(*)::int`,
      active: sql<number>`(count(*) filter (where ${challenges.isActive} and ${challenges.deadline} > now()))::int`,
      expired: sql<number>`(count(*) filter (where ${challenges.deadline} <= now()))::int`,
      points: sql<number>`coalesce(sum(${challenges.points}), 0)::int`,
    })
    .from(challenges),
)
/** Totals of all challenges, by the database's clock. */
export async function findChallengeTotals(db: Reader): Promise<ChallengeTotals> {
  const [row] = await challengeTotals(db)
  if (!row) throw new Error('an aggregate returned no row')
  return row
}

const WEEKS = 12
const weekOf = (column: AnyColumn) => sql`date_trunc('week', ${column} at time zone 'UTC')`
const firstWeek = sql`date_trunc('week', now() at time zone 'UTC') - make_interval(weeks => ${sql.raw(String(WEEKS - 1))})`
const countPerWeek = (column: AnyColumn, count = sql`count(*)`, where = sql`true`) =>
  sql`select ${weekOf(column)} as week, ${count}::int as figure from ${column.table}
    where ${column} >= (${firstWeek}) at time zone 'UTC' and ${where} group by 1`

const weeks = prepared('admin.weeks', (db) =>
  db
    .select({
      start: sql`week.start at time zone 'UTC'`.mapWith(users.createdAt).as('start'),
      registrations: sql<number>`coalesce(r.figure, 0)`.as('registrations'),
      applications: sql<number>`coalesce(a.figure, 0)`.as('applications'),
      approvals: sql<number>`coalesce(v.figure, 0)`.as('approvals'),
      points: sql<number>`coalesce(p.figure, 0)`.as('points'),
    })
    .from(
      sql`generate_series(${firstWeek}, date_trunc('week', now() at time zone 'UTC'), interval '1 week') as week(start)
        left join (${countPerWeek(users.createdAt)}) r on r.week = week.start
        left join (${countPerWeek(submissions.createdAt)}) a on a.week = week.start
        left join (${countPerWeek(submissions.evaluatedAt, sql`count(*)`, approvedCondition)}) v
          on v.week = week.start
        left join (${countPerWeek(pointsLedger.createdAt, sql`sum(${pointsLedger.delta})`)}) p on p.week = week.start`,
    )
    .orderBy(sql`week.start`),
)
/** The last twelve weeks (from Monday, UTC), oldest first, including empty ones. */
export async function findWeeks(db: Reader): Promise<AdminStats['weeks']> {
  const rows = await weeks(db)
  return rows.map(({ start, ...figures }) => ({ start: start.toISOString(), ...figures }))
}

const CHALLENGES_MAX = 10
const scores = prepared('admin.scores', (db) =>
  db
    .select({
      id: challenges.id,
      title: challenges.title,
      bin: sql<number>`((${submissions.score} - 1) / 10)`.as('bin'),
      figure: sql<number>`count(*)::int`.as('figure'),
      latest: sql`max(max(${submissions.evaluatedAt})) over (partition by ${challenges.id})`.as('latest'),
    })
    .from(submissions)
    .innerJoin(challenges, sql`${challenges.id} = ${submissions.challengeId}`)
    .where(
      sql`${approvedCondition} and ${submissions.challengeId} in (
        select challenge_id from (
          select challenge_id, max(evaluated_at) as latest from submissions where status = 'approved' group by challenge_id
        ) judged order by latest desc limit ${sql.raw(String(CHALLENGES_MAX))})`,
    )
    .groupBy(challenges.id, challenges.title, sql`3`)
    .orderBy(sql`latest desc`, challenges.id),
)
/** Histograms of approved scores in steps of ten, for the challenges evaluated most recently. */
export async function findScores(db: Reader): Promise<AdminStats['scores']> {
  const byChallenge = new Map<string, AdminStats['scores'][number]>()
  for (const { id, title, bin, figure } of await scores(db)) {
    const entry = byChallenge.get(id) ?? {
      challenge: { id, _id: id, title },
      counts: Array.from({ length: 10 }, () => 0),
    }
    entry.counts[bin] = figure
    byChallenge.set(id, entry)
  }
  return [...byChallenge.values()]
}
