import type { Profile } from '@community/contract'
import type { Reader } from '@community/db'
import { statement } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'

export type UserRow = typeof users.$inferSelect

const userById = statement('user_by_id', (q) =>
  q
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)

/** An account's whole row; undefined when it is gone. */
export const findUser = async (reader: Reader, id: string): Promise<UserRow | undefined> =>
  (await userById(reader, { id }))[0]

/** An account as its owner sees it. */
export const profileOf = (row: UserRow): Profile => ({
  id: row.id,
  _id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  avatarUrl: row.avatarUrl,
  isBanned: row.isBanned,
  banReason: row.banReason,
  warnings: row.warningCount,
  createdAt: row.createdAt.toISOString(),
  phone: row.phone,
  github: row.github,
  instagram: row.instagram,
  portfolio: row.portfolio,
  bio: row.bio,
  experience: row.experience,
  language: row.language,
  signInOtp: row.signInOtp,
  hasPassword: row.passwordHash !== null,
})
