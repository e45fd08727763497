import type { Profile, User } from '@community/contract'
import { pickColumns } from '@community/db'
import { isCodeRequired } from '../auth/sign-in-policy.ts'
import type { Deps } from '../context.ts'
import { currentFileUrl } from '../uploads/file-url.ts'
import { profileColumns, userColumns, type UserListRow, type UserRow } from './account-queries.ts'

/** The current URL of a profile picture, of which the server stored an earlier one (`currentFileUrl`). */
export const toAvatarUrl = ({ config }: Pick<Deps, 'config'>, stored: string | null): string | null =>
  stored && currentFileUrl(config.appUrl, stored)

/** An account as the API's `User`, which administrators and its owner see. */
export const toUser = (row: UserListRow, deps: Pick<Deps, 'config'>): User => ({
  ...pickColumns(row, userColumns),
  avatarUrl: toAvatarUrl(deps, row.avatarUrl),
  _id: row.id,
  warnings: row.warningCount,
  createdAt: row.createdAt.toISOString(),
})

/** An account as its owner sees it. */
export const toProfile = (row: UserRow, deps: Pick<Deps, 'config'>): Profile => ({
  ...pickColumns(row, profileColumns),
  ...toUser(row, deps),
  hasPassword: row.passwordHash !== null,
  signInOtpRequired: isCodeRequired(deps, row),
})
