import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { findSubmissionsOfUserTeams } from '../submissions/team-queries.ts'
import { toSubmissionPage } from '../submissions/views.ts'

/** The submissions of the teams that the caller is in, newest first: in any status or, with `onlyOpen`, of open challenges. */
export const listMyTeamApplications: UseCase<typeof contract.challenges.myTeamApplications> = async (ctx, input) => {
  const { submissions, pagination } = toSubmissionPage(
    await findSubmissionsOfUserTeams(ctx.db, ctx.user.id, input, input.onlyOpen),
    input,
    ctx,
  )
  return { applications: submissions, pagination }
}
