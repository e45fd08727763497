import { Profile, User } from '@community/contract'
import { pickColumns, prepared, type Reader, sharedColumns } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'

export type UserRow = typeof users.$inferSelect

const userById = prepared('user_by_id', (q) =>
  q
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)

/** The full row of an account; undefined when there is none. */
export const findUser = async (reader: Reader, id: string): Promise<UserRow | undefined> =>
  (await userById(reader, { id }))[0]

/** The columns of an account in lists for administrators. */
const userColumns = sharedColumns(users, User.shape)
export const userListColumns = { ...userColumns, warningCount: users.warningCount }
export type UserListRow = Pick<UserRow, keyof typeof userListColumns>

/** An account in a list for administrators. */
export const toUser = (row: UserListRow): User => ({
  ...pickColumns(row, userColumns),
  _id: row.id,
  warnings: row.warningCount,
  createdAt: row.createdAt.toISOString(),
})

const profileColumns = sharedColumns(users, Profile.shape)
/** An account as its owner sees it. */
export const toProfile = (row: UserRow): Profile => ({
  ...pickColumns(row, profileColumns),
  ...toUser(row),
  hasPassword: row.passwordHash !== null,
})
