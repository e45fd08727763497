import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { limitRefreshes } from './limit-attempts.ts'
import { rotateTokens } from './rotate-tokens.ts'

export const refresh: UseCase<typeof contract.auth.refresh> = async (ctx, { refreshToken }) => {
  await limitRefreshes(ctx)
  return rotateTokens(ctx, refreshToken)
}
