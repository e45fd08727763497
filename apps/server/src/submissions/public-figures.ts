import type { contract, Output, Parsed } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { findBest } from './queries.ts'
import { findSubmissionStats } from './stats-queries.ts'
import { submissionOf } from './views.ts'

type Submissions = typeof contract.submissions

/** The approved submissions with the highest scores. */
export async function listBest(
  { db, user }: VisitorContext,
  { limit }: Parsed<Submissions['leaderboard']>,
): Promise<Output<Submissions['leaderboard']>> {
  const rows = await findBest(db, limit, user?.id ?? null)
  return { submissions: rows.map((row) => submissionOf(row, user)) }
}

export const getSubmissionStats = async ({ db }: VisitorContext): Promise<Output<Submissions['stats']>> => ({
  stats: await findSubmissionStats(db),
})
