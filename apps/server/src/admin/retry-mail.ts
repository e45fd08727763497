import { type contract, type EmptyData, appErrors, type ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { audit } from './audit.ts'
import { isMailWanted } from '../notifications/is-mail-wanted.ts'
import { lockDeadMail, requeueMail } from './mail-queries.ts'
import { lockAdmin } from '../users/lock-user.ts'

type RetryMailRoute = typeof contract.admin.retryMail

/** Queues a dead mail again; throws `mailExpired` if its code is no longer valid, `mailUnwanted` if it would not be sent. */
export async function retryMail(ctx: AuthenticatedContext, { id }: ParsedInput<RetryMailRoute>): Promise<EmptyData> {
  await inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const mail = await lockDeadMail(tx, id)
    if (!mail) throw new AppError(appErrors.mailMissing)
    if (mail.isExpired) throw new AppError(appErrors.mailExpired)
    if (!(await isMailWanted(tx, mail))) throw new AppError(appErrors.mailUnwanted)
    await requeueMail(tx, id)
    const { template, lastError } = mail
    await audit(tx, ctx, {
      action: 'admin.retryMail',
      targetId: id,
      details: { template, lastError },
    })
  })
  wakeWorkers()
  return {}
}
