import type { Profile, User } from '@community/contract'
import { pickColumns } from '@community/db'
import { profileColumns, userColumns, type UserListRow, type UserRow } from './account-queries.ts'

/** An account in a list for administrators. */
export const toUser = (row: UserListRow): User => ({
  ...pickColumns(row, userColumns),
  _id: row.id,
  warnings: row.warningCount,
  createdAt: row.createdAt.toISOString(),
})

/** An account as its owner sees it. */
export const toProfile = (row: UserRow): Profile => ({
  ...pickColumns(row, profileColumns),
  ...toUser(row),
  hasPassword: row.passwordHash !== null,
})
