import type { Profile, User } from '@community/contract'
import type { Reader } from '@community/db'
import { prepared } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'

export type UserRow = typeof users.$inferSelect

const userById = prepared('user_by_id', (q) =>
  q
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)

/** An account's whole row; undefined when it is gone. */
export const findUser = async (reader: Reader, id: string): Promise<UserRow | undefined> =>
  (await userById(reader, { id }))[0]

/** What an account's line in a list is made of. */
export const listedColumns = {
  id: users.id,
  name: users.name,
  email: users.email,
  role: users.role,
  avatarUrl: users.avatarUrl,
  isBanned: users.isBanned,
  banReason: users.banReason,
  warningCount: users.warningCount,
  createdAt: users.createdAt,
}
export type ListedRow = Pick<UserRow, keyof typeof listedColumns>

/** An account in a list for administrators. */
export const userOf = (row: ListedRow): User => ({
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
})

/** An account as its owner sees it. */
export const profileOf = (row: UserRow): Profile => ({
  ...userOf(row),
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
