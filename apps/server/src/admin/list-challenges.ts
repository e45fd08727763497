import type { contract, Output, Parsed } from '@community/contract'
import { listChallenges as listForViewer } from '../challenges/views.ts'
import type { MemberContext } from '../context.ts'
import { findChallengeTotals } from './stats-queries.ts'

type ListChallenges = typeof contract.admin.listChallenges

/** All challenges including inactive ones, with totals over all of them. */
export async function listChallenges(
  ctx: MemberContext,
  input: Parsed<ListChallenges>,
): Promise<Output<ListChallenges>> {
  const [page, totals] = await Promise.all([listForViewer(ctx, input), findChallengeTotals(ctx.db)])
  return { ...page, totals }
}
