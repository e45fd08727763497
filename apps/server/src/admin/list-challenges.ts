import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { listChallenges as listForViewer } from '../challenges/list-challenges.ts'
import { findChallengeTotals } from './stats-queries.ts'

/** All challenges including inactive ones, with totals over all of them. */
export const listChallenges: UseCase<typeof contract.admin.listChallenges> = async (ctx, input) => {
  const [page, totals] = await Promise.all([listForViewer(ctx, input), findChallengeTotals(ctx.db)])
  return { ...page, totals }
}
