import { type contract, appErrors, type Output, type ParsedInput } from '@community/contract'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { findChallengeSubmissions } from '../submissions/queries.ts'
import { toSubmissionPage } from '../submissions/views.ts'
import { findChallenge } from './queries.ts'

type SubmissionsRoute = typeof contract.challenges.submissions

/** A challenge's submissions, newest first: approved ones and those of the caller's teams; all of them for administrators. */
export async function listChallengeSubmissions(
  ctx: Context,
  { id, ...paging }: ParsedInput<SubmissionsRoute>,
): Promise<Output<SubmissionsRoute>> {
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
