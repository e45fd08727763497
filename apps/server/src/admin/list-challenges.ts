import type { contract, Output, Parsed } from '@community/contract'
import { listChallenges as listForViewer } from '../challenges/views.ts'
import type { MemberContext } from '../context.ts'
import { findChallengeTotals } from './stats-queries.ts'

type ListChallenges = typeof contract.admin.listChallenges

/** All challenges, inactive ones too: the public list as an administrator sees it, and what all of them add up to. */
export async function listChallenges(
  ctx: MemberContext,
  input: Parsed<ListChallenges>,
): Promise<Output<ListChallenges>> {
  const [page, totals] = await Promise.all([listForViewer(ctx, input), findChallengeTotals(ctx.db)])
  return { ...page, totals }
}
