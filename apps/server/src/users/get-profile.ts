import { type contract, appErrors } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { toProfile } from './views.ts'
import { findAccountById } from './account-queries.ts'

/** The caller's own account. */
export const getProfile: UseCase<typeof contract.users.profile> = async ({ db, deps, user }) => {
  const row = await findAccountById(db, user.id)
  if (!row) throw new AppError(appErrors.notSignedIn)
  return { user: toProfile(row, deps) }
}
