import type { contract, Output, ParsedInput } from '@community/contract'
import type { Context } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { findHighestScored } from './queries.ts'
import { findSubmissionStats } from './stats-queries.ts'
import { toSubmission } from './views.ts'

type SubmissionsRoutes = typeof contract.submissions

/** The approved submissions with the highest scores. */
export async function listHighestScored(
  ctx: Context,
  input: ParsedInput<SubmissionsRoutes['leaderboard']>,
): Promise<Output<SubmissionsRoutes['leaderboard']>> {
  const page = await findHighestScored(ctx.db, input, ctx.user?.id ?? null)
  return { submissions: page.rows.map((row) => toSubmission(row, ctx)), pagination: toPagination(input, page) }
}

export const getSubmissionStats = async ({ db }: Context): Promise<Output<SubmissionsRoutes['stats']>> => ({
  stats: await findSubmissionStats(db),
})
