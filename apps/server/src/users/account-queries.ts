import { Profile, User } from '@community/contract'
import { prepared, type Reader, sharedColumns } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'

export type UserRow = typeof users.$inferSelect

const userById = prepared('users.by-id', (q) =>
  q
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id'))),
)

/** The full row of an account, with the hash of its password; undefined when there is none. */
export const findAccountById = async (reader: Reader, id: string): Promise<UserRow | undefined> =>
  (await userById(reader, { id }))[0]

/** The columns of an account that its owner sees. */
export const profileColumns = sharedColumns(users, Profile.shape)
/** The columns that the API's `User` has by the same name. */
export const userColumns = sharedColumns(users, User.shape)
/** The columns of an account in lists for administrators; the API calls `warningCount` `warnings`. */
export const userListColumns = { ...userColumns, warningCount: users.warningCount }
export type UserListRow = Pick<UserRow, keyof typeof userListColumns>
