import type { contract, Output, ParsedInput } from '@community/contract'
import type { Context } from '../context.ts'
import { findHighestScored } from './queries.ts'
import { findSubmissionStats } from './stats-queries.ts'
import { toSubmission } from './views.ts'

type SubmissionsRoutes = typeof contract.submissions

/** The approved submissions with the highest scores. */
export async function listHighestScored(
  { db, user }: Context,
  { limit, cursor }: ParsedInput<SubmissionsRoutes['leaderboard']>,
): Promise<Output<SubmissionsRoutes['leaderboard']>> {
  const { rows, nextCursor } = await findHighestScored(db, { limit, cursor }, user?.id ?? null)
  return { submissions: rows.map((row) => toSubmission(row, user)), pagination: { limit, nextCursor } }
}

export const getSubmissionStats = async ({ db }: Context): Promise<Output<SubmissionsRoutes['stats']>> => ({
  stats: await findSubmissionStats(db),
})
