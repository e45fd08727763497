import type { contract, Output, ParsedInput } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { findOwnSubmissions } from '../submissions/queries.ts'
import { toSubmissionPage } from '../submissions/views.ts'

type SubmissionsRoute = typeof contract.users.submissions

/** The caller's submissions, newest first. Of teams they have left only approved ones: the others are visible to the team's current members only. */
export async function listOwnSubmissions(
  ctx: AuthenticatedContext,
  input: ParsedInput<SubmissionsRoute>,
): Promise<Output<SubmissionsRoute>> {
  return toSubmissionPage(await findOwnSubmissions(ctx.db, ctx.user.id, input), input, ctx)
}
