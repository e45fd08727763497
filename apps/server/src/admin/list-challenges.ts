import type { contract, Output, ParsedInput } from '@community/contract'
import { listChallenges as listForViewer } from '../challenges/views.ts'
import type { AuthenticatedContext } from '../context.ts'
import { findChallengeTotals } from './stats-queries.ts'

type ListChallengesRoute = typeof contract.admin.listChallenges

/** All challenges including inactive ones, with totals over all of them. */
export async function listChallenges(
  ctx: AuthenticatedContext,
  input: ParsedInput<ListChallengesRoute>,
): Promise<Output<ListChallengesRoute>> {
  const [page, totals] = await Promise.all([listForViewer(ctx, input), findChallengeTotals(ctx.db)])
  return { ...page, totals }
}
