import type { contract, Output, ParsedInput } from '@community/contract'
import type { Context } from '../context.ts'
import { limitRefreshes } from './limit-attempts.ts'
import { rotateTokens } from './rotate-tokens.ts'

type RefreshRoute = typeof contract.auth.refresh

export async function refresh(
  ctx: Context,
  { refreshToken }: ParsedInput<RefreshRoute>,
): Promise<Output<RefreshRoute>> {
  await limitRefreshes(ctx)
  return rotateTokens(ctx, refreshToken)
}
