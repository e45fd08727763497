import { type contract, appErrors, type Output } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { toProfile } from './views.ts'
import { findAccountById } from './account-queries.ts'

/** The caller's own account. */
export async function getProfile({
  db,
  deps,
  user,
}: AuthenticatedContext): Promise<Output<typeof contract.users.profile>> {
  const row = await findAccountById(db, user.id)
  if (!row) throw new AppError(appErrors.notSignedIn)
  return { user: toProfile(row, deps) }
}
