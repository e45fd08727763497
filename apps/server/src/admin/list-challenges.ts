import type { contract, Output, Parsed } from '@community/contract'
import { listChallenges as listForViewer } from '../challenges/views.ts'
import type { MemberContext } from '../context.ts'

type ListChallenges = typeof contract.admin.listChallenges

/** All challenges, inactive ones too: the public list as an administrator sees it. */
export const listChallenges = (ctx: MemberContext, input: Parsed<ListChallenges>): Promise<Output<ListChallenges>> =>
  listForViewer(ctx, input)
