import { type LockingTx, prepared, type Reader } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import { selectTeamForUpdate } from './commands.ts'

/** A subquery that locks a user. */
export function userLock(db: Reader) {
  const selectUser = db
    .select({ id: users.id, role: users.role, isBanned: users.isBanned })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId')))
  return db.$with('locked_user').as(selectUser.for('share'))
}

/** Subqueries that lock a user, then a team. The team's subquery reads from the locked user, so PostgreSQL keeps the order. */
export function userAndTeamLocks(db: Reader) {
  const user = userLock(db)
  const teamId = sql`(select ${sql.placeholder('teamId')}::uuid from ${user})`
  const team = db.$with('locked_team').as(selectTeamForUpdate(db, teamId))
  return { user, team }
}

const userAndTeamLock = prepared('teams.lock-user-and-team', (db) => {
  const { user, team } = userAndTeamLocks(db)
  // A left join keeps the user if the team does not exist.
  return db.with(user, team).select().from(user).leftJoin(team, sql`true`)
})
/** Locks a user, then a team, in one statement; those that do not exist are undefined. */
export async function lockUserAndTeam(tx: LockingTx, userId: string, teamId: string) {
  const [row] = await userAndTeamLock(tx, { userId, teamId })
  return { user: row?.locked_user, team: row?.locked_team ?? undefined }
}
