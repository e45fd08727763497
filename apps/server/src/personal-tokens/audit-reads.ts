import { auditUse } from '../admin/audit.ts'
import type { Context } from '../context.ts'

/**
 * Counts a read by a token with the scope `admin` in the audit log, before the data are sent. Changes have entries of their own.
 */
export async function auditRead({ user, ...ctx }: Context, procedure: string): Promise<void> {
  if (!user?.personalToken?.scopes.includes('admin')) return
  const entry = { action: 'users.useToken', details: { procedure } }
  await auditUse({ ...ctx, user }, `${user.personalToken.id} ${procedure} ${ctx.request.ip}`, entry)
}
