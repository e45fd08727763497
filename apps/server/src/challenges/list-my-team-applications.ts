import type { contract, Output, ParsedInput } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { findSubmissionsOfUserTeams } from '../submissions/team-queries.ts'
import { toSubmissionPage } from '../submissions/views.ts'

type MyTeamApplicationsRoute = typeof contract.challenges.myTeamApplications

/** The submissions of the caller's teams, newest first, in any status. */
export async function listMyTeamApplications(
  ctx: AuthenticatedContext,
  input: ParsedInput<MyTeamApplicationsRoute>,
): Promise<Output<MyTeamApplicationsRoute>> {
  const { submissions, pagination } = toSubmissionPage(
    await findSubmissionsOfUserTeams(ctx.db, ctx.user.id, input, input.onlyOpen),
    input,
    ctx,
  )
  return { applications: submissions, pagination }
}
