import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { findHighestScored } from './queries.ts'
import { findSubmissionStats } from './stats-queries.ts'
import { toSubmissionPage } from './views.ts'

/** The approved submissions with the highest scores. */
export const listHighestScored: UseCase<typeof contract.submissions.leaderboard> = async (ctx, input) =>
  toSubmissionPage(await findHighestScored(ctx.db, input, ctx.user?.id ?? null), input, ctx)

export const getSubmissionStats: UseCase<typeof contract.submissions.stats> = async ({ db }) => ({
  stats: await findSubmissionStats(db),
})
