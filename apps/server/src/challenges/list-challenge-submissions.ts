import { type contract, appErrors } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { findChallengeSubmissions } from '../submissions/queries.ts'
import { toSubmissionPage } from '../submissions/views.ts'
import { findChallenge } from './queries.ts'

/** A challenge's submissions, newest first: approved ones and those of the caller's teams; all of them for administrators. */
export const listChallengeSubmissions: UseCase<typeof contract.challenges.submissions> = async (
  ctx,
  { id, ...paging },
) => {
  const { db, user } = ctx
  const seesAll = user?.role === 'admin'
  const challenge = await findChallenge(db, id)
  if (!challenge || (!challenge.isActive && !seesAll)) throw new AppError(appErrors.challengeMissing)
  return toSubmissionPage(
    await findChallengeSubmissions(db, id, paging, { id: user?.id ?? null, seesAll }),
    paging,
    ctx,
  )
}
