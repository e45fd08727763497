import type { contract, Output, Parsed } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { limitRefreshes } from './limit-attempts.ts'
import { rotateTokens } from './rotate-tokens.ts'

type Refresh = typeof contract.auth.refresh

export async function refresh(ctx: VisitorContext, { refreshToken }: Parsed<Refresh>): Promise<Output<Refresh>> {
  await limitRefreshes(ctx)
  return rotateTokens(ctx, refreshToken)
}
