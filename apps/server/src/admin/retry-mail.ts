import { type contract, type EmptyData, appErrors, type Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { audit } from './audit.ts'
import { lockDeadMail, putBack } from './mail-queries.ts'
import { lockAdmin } from '../users/lock-user.ts'

type RetryMail = typeof contract.admin.retryMail

/** Queues a dead mail again; throws `mailExpired` if its code is no longer valid. */
export async function retryMail(ctx: MemberContext, { id }: Parsed<RetryMail>): Promise<EmptyData> {
  await inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const mail = await lockDeadMail(tx, id)
    if (!mail) throw new AppError(appErrors.mailMissing)
    if (mail.isExpired) throw new AppError(appErrors.mailExpired)
    await putBack(tx, id)
    const { template, lastError } = mail
    await audit(tx, ctx, {
      action: 'admin.retryMail',
      targetType: 'mail',
      targetId: id,
      details: { template, lastError },
    })
  })
  wakeWorkers(ctx.db)
  return {}
}
