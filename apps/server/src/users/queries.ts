import { prepared, type Reader, type Tx } from '@community/db'
import { refreshFamilies, sessions, submissions, teamMembers, teams } from '@community/db/schema'
import { asc, count, desc, eq, inArray, sql } from 'drizzle-orm'

const userId = sql.placeholder('userId')
const asNumber = (expression: ReturnType<typeof sql>) => expression.mapWith(Number)

const teamStats = prepared('users.team-figures', (db) =>
  db
    .select({
      teams: count(),
      points: asNumber(sql`coalesce(sum(${teams.points}), 0)`),
      challengesCompleted: asNumber(sql`coalesce(sum(${teams.challengesCompleted}), 0)`),
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.id, teamMembers.teamId))
    .where(eq(teamMembers.userId, userId)),
)
const submissionStats = prepared('users.submission-figures', (db) => {
  const teamsOfUser = db.select({ id: teamMembers.teamId }).from(teamMembers).where(eq(teamMembers.userId, userId))
  const countWithStatus = (status: string) =>
    asNumber(sql`count(*) filter (where ${submissions.status} = ${sql.raw(`'${status}'`)})`)
  return db
    .select({
      submissions: count(),
      pending: countWithStatus('pending'),
      approved: countWithStatus('approved'),
      rejected: countWithStatus('rejected'),
    })
    .from(submissions)
    .where(inArray(submissions.teamId, teamsOfUser))
})
/** Totals over a user's teams, including inactive ones: points, completed challenges and submissions by status. */
export async function findUserStats(db: Reader, id: string) {
  const [[ofTeams], [ofSubmissions]] = await Promise.all([
    teamStats(db, { userId: id }),
    submissionStats(db, { userId: id }),
  ])
  return {
    ...(ofTeams ?? { teams: 0, points: 0, challengesCompleted: 0 }),
    ...(ofSubmissions ?? { submissions: 0, pending: 0, approved: 0, rejected: 0 }),
  }
}

const signInByFamily = prepared('users.sign-in', (db) =>
  db
    .select({
      signedInAt: refreshFamilies.createdAt,
      expiresAt: sessions.expiresAt,
      now: sql`now()`.mapWith(sessions.expiresAt),
    })
    .from(refreshFamilies)
    .innerJoin(sessions, eq(sessions.familyId, refreshFamilies.id))
    .where(eq(refreshFamilies.id, sql.placeholder('familyId')))
    .orderBy(desc(sessions.expiresAt))
    .limit(1),
)
/** A sign-in with the expiry of its newest access token and the database's current time. */
export async function findSignIn(db: Reader, familyId: string) {
  const [row] = await signInByFamily(db, { familyId })
  return row
}

/** The ids of a user's first teams, in order. */
export async function findTeamIds(tx: Tx, id: string, max: number): Promise<string[]> {
  const memberships = await tx
    .select({ teamId: teamMembers.teamId })
    .from(teamMembers)
    .where(eq(teamMembers.userId, id))
    .orderBy(asc(teamMembers.teamId))
    .limit(max)
  return memberships.map(({ teamId }) => teamId)
}
