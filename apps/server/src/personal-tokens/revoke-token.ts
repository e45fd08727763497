import { type contract, appErrors } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { deleteToken } from './commands.ts'

export const revokeToken: UseCase<typeof contract.users.revokeToken> = async (ctx, { id }) => {
  const revoked = await inTransaction(ctx.db, (tx) => deleteToken(tx, ctx.user.id, id))
  if (!revoked) throw new AppError(appErrors.tokenMissing)
  logSecurityEvent(ctx, 'auth.personal_token_revoked')
  return {}
}
