import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { findHighestScored } from './queries.ts'
import { findSubmissionStats } from './stats-queries.ts'
import { toSubmission } from './views.ts'

/** The approved submissions with the highest scores. */
export const listHighestScored: UseCase<typeof contract.submissions.leaderboard> = async (ctx, input) => {
  const page = await findHighestScored(ctx.db, input, ctx.user?.id ?? null)
  return { submissions: page.rows.map((row) => toSubmission(row, ctx)), pagination: toPagination(input, page) }
}

export const getSubmissionStats: UseCase<typeof contract.submissions.stats> = async ({ db }) => ({
  stats: await findSubmissionStats(db),
})
