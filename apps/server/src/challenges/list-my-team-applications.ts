import type { contract, Output, Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { findOfTeamsOf } from '../submissions/queries.ts'
import { pageOfSubmissions } from '../submissions/views.ts'

type MyTeamApplications = typeof contract.challenges.myTeamApplications

/** The submissions of the caller's teams, newest first, in any status. */
export async function listMyTeamApplications(
  { db, user }: MemberContext,
  input: Parsed<MyTeamApplications>,
): Promise<Output<MyTeamApplications>> {
  const { submissions, pagination } = pageOfSubmissions(
    await findOfTeamsOf(db, user.id, input, input.onlyOpen),
    input,
    user,
  )
  return { applications: submissions, pagination }
}
