import { type AdminStats, type ChallengeTotals, limits } from '@community/contract'
import { onlyRow, type Reader, prepared } from '@community/db'
import { challenges, counts, type DailyCount, submissions, users } from '@community/db/schema'
import { and, isNull, type Placeholder, sql } from 'drizzle-orm'
import { readCounts } from '../pagination/counts.ts'
import { approvedCondition } from '../submissions/status-conditions.ts'

/** The number of the current day, as a key of daily counts. */
const today = sql`day_number(now())`

const trends = prepared('admin.trends', (db) => {
  const countDays = (name: DailyCount, from: number, to: number) =>
    sql<number>`coalesce(sum(${counts.amount}) filter (where ${counts.name} = ${sql.raw(`'${name}'`)}
      and ${counts.key} > ${today} - ${sql.raw(String(from))} and ${counts.key} <= ${today} - ${sql.raw(String(to))}), 0)::float8`
  return db
    .select({
      totalChallenges: sql<number>`(select count(*)::int from ${challenges} where ${challenges.deletedAt} is null)`.as(
        'total_challenges',
      ),
      usersNow: countDays('users_of_day', 30, 0).as('users_now'),
      usersBefore: countDays('users_of_day', 60, 30).as('users_before'),
      submissionsNow: countDays('submissions_of_day', 30, 0).as('submissions_now'),
      submissionsBefore: countDays('submissions_of_day', 60, 30).as('submissions_before'),
    })
    .from(counts)
    .where(sql`${counts.name} in ('users_of_day', 'submissions_of_day') and ${counts.key} > ${today} - 60`)
})
/** Totals, and the numbers of new users and submissions in the last 30 days (UTC, with today) and the 30 before. */
export async function findCounts(db: Reader) {
  const [rows, count] = await Promise.all([trends(db), readCounts(db)])
  const bannedUsers = count('users_banned')
  const activeTeams = count('teams_active')
  return {
    ...onlyRow(rows),
    bannedUsers,
    totalUsers: bannedUsers + count('users_in_good_standing'),
    warningCount: count('warnings'),
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
    .from(challenges)
    .where(isNull(challenges.deletedAt)),
)
/** Totals of all challenges, by the database's clock. */
export async function findChallengeTotals(db: Reader): Promise<ChallengeTotals> {
  return onlyRow(await challengeTotals(db))
}

const currentWeek = sql`date_trunc('week', now() at time zone 'UTC')`
const firstWeek = sql`(${currentWeek} - make_interval(weeks => ${sql.raw(String(limits.STATS_WEEKS - 1))}))`

const weeks = prepared('admin.weeks', (db) => {
  const sumOfWeek = (name: DailyCount) =>
    sql<number>`coalesce(sum(${counts.amount}) filter (where ${counts.name} = ${sql.raw(`'${name}'`)}), 0)::float8`
  // Day 4 (1970-01-05) is the first Monday.
  const firstDay = sql`day_number(${firstWeek} at time zone 'UTC')`
  return db
    .select({
      start: sql`week.start at time zone 'UTC'`.mapWith(users.createdAt).as('start'),
      registrations: sumOfWeek('users_of_day').as('registrations'),
      applications: sumOfWeek('submissions_of_day').as('applications'),
      approvals: sumOfWeek('approvals_of_day').as('approvals'),
      points: sumOfWeek('points_of_day').as('points'),
    })
    .from(
      sql`generate_series(${firstWeek}, ${currentWeek}, interval '1 week') as week(start)
        left join ${counts} on ${counts.name} in ('users_of_day', 'submissions_of_day', 'approvals_of_day', 'points_of_day')
          and ${counts.key} >= ${firstDay} and (${counts.key} - 4) / 7 = (day_number(week.start at time zone 'UTC') - 4) / 7`,
    )
    .groupBy(sql`week.start`)
    .orderBy(sql`week.start`)
})
/** The last twelve weeks (from Monday, UTC), oldest first, including empty ones. */
export async function findWeeks(db: Reader): Promise<AdminStats['weeks']> {
  const rows = await weeks(db)
  return rows.map(({ start, ...figures }) => ({ start: start.toISOString(), ...figures }))
}

const CHALLENGES_MAX = 10
/** Approvals to read. They usually cover ten challenges, at a cost that does not grow with the number of challenges. */
const LATEST_APPROVALS = 500
const scores = prepared('admin.scores', (db) => {
  const latest = sql`select ${submissions.challengeId} as id, ${submissions.evaluatedAt} as latest from ${submissions}
    where ${approvedCondition} order by ${submissions.evaluatedAt} desc limit ${sql.raw(String(LATEST_APPROVALS))}`
  const latestOfEach = sql`select ${challenges.id} as id, (select max(${submissions.evaluatedAt}) from ${submissions}
      where ${submissions.challengeId} = ${challenges.id} and ${approvedCondition}) as latest
    from ${challenges}`
  const challengeCount = sql.raw(String(CHALLENGES_MAX))
  const judged = db
    .select({ id: challenges.id, title: challenges.title, latest: sql`approval.latest`.as('latest') })
    .from(
      sql`(with recent as materialized (select id, max(latest) as latest from (${latest}) as approvals group by id)
        select id, latest from recent where (select count(*) from recent) >= ${challengeCount}
        union all
        select id, latest from (${latestOfEach}) as each
          where latest is not null and (select count(*) from recent) < ${challengeCount}) as approval`,
    )
    .innerJoin(challenges, and(sql`${challenges.id} = approval.id`, isNull(challenges.deletedAt)))
    .orderBy(sql`approval.latest desc`, challenges.id)
    .limit(challengeCount as unknown as Placeholder)
    .as('judged')
  return db
    .select({
      id: judged.id,
      title: judged.title,
      bin: counts.key,
      figure: sql<number>`sum(${counts.amount})::float8`.as('figure'),
    })
    .from(judged)
    .innerJoin(counts, sql`${counts.name} = 'scores_of_challenge:' || ${judged.id}`)
    .groupBy(judged.id, judged.title, judged.latest, counts.key)
    .having(sql`sum(${counts.amount}) <> 0`)
    .orderBy(sql`${judged.latest} desc`, judged.id)
})
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
