import { type contract, appErrors } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { findChallenge } from './queries.ts'
import { toChallenge } from './views.ts'

/** Throws `challengeMissing` for an inactive challenge unless the caller is an administrator. */
export const getChallenge: UseCase<typeof contract.challenges.get> = async ({ db, user }, { id }) => {
  const row = await findChallenge(db, id)
  if (!row || (!row.isActive && user?.role !== 'admin')) throw new AppError(appErrors.challengeMissing)
  return { challenge: toChallenge(row) }
}
