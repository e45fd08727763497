import { nameKey } from '@community/contract'
import { type Db, onlyRow, type Tx } from '@community/db'
import { challenges, rateLimits, type teams, users } from '@community/db/schema'
import { like, or } from 'drizzle-orm'
import { uniqueEmail, uniqueName } from '../valid-inputs.ts'

type NewUser = typeof users.$inferInsert
type NewTeam = typeof teams.$inferInsert
type NewChallenge = typeof challenges.$inferInsert

/** A valid user row: the columns without a default, and the given ones. */
export const userRow = (fields: Partial<NewUser> = {}): NewUser => ({
  name: 'Sara El Amrani',
  email: uniqueEmail(),
  ...fields,
})

/** A valid row of a team without members. */
export function teamRow(fields: Partial<NewTeam> = {}): NewTeam {
  const name = fields.name ?? uniqueName()
  return { name, nameKey: nameKey(name), description: 'We build small, useful things.', ...fields }
}

/** A valid row of a challenge that is open for a day. */
export const challengeRow = (fields: Partial<NewChallenge> = {}): NewChallenge => ({
  title: uniqueName('Challenge'),
  description: 'Build something useful',
  requirements: ['It works'],
  deadline: new Date(Date.now() + 86_400_000),
  points: 100,
  category: 'Other',
  difficulty: 'Beginner',
  ...fields,
})

export const insertUser = async (db: Db | Tx, fields: Partial<NewUser> = {}) =>
  onlyRow(await db.insert(users).values(userRow(fields)).returning())

export const insertChallenge = async (db: Db | Tx, fields: Partial<NewChallenge> = {}) =>
  onlyRow(await db.insert(challenges).values(challengeRow(fields)).returning())

type Role = { id: string; name: string; emoji: string }

/** The seeded roles, in their order. */
export async function rolesOf(db: Db) {
  const columns = { id: true, name: true, emoji: true } as const
  const found = await db.query.roles.findMany({ orderBy: (t, { asc }) => asc(t.position), columns })
  // A migration inserts the roles, so there are at least three.
  return found as [Role, Role, Role, ...Role[]]
}

/** Resets the limits of created teams and of joins, for races that need hundreds. */
export const resetTeamLimits = (db: Db) =>
  db.delete(rateLimits).where(or(like(rateLimits.key, 'teams:%'), like(rateLimits.key, 'joins:%')))
