import { type contract, type EmptyData, appErrors, type ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import type { SessionContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { deleteToken } from './commands.ts'

type RevokeTokenRoute = typeof contract.users.revokeToken

export async function revokeToken(ctx: SessionContext, { id }: ParsedInput<RevokeTokenRoute>): Promise<EmptyData> {
  const revoked = await inTransaction(ctx.db, (tx) => deleteToken(tx, ctx.user.id, id))
  if (!revoked) throw new AppError(appErrors.tokenMissing)
  logSecurityEvent(ctx, 'auth.personal_token_revoked')
  return {}
}
