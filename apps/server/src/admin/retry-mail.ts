import { type contract, appErrors } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { audit } from './audit.ts'
import { isMailWanted } from '../notifications/is-mail-wanted.ts'
import { lockDeadMail, requeueMail } from './mail-commands.ts'
import { lockAdmin } from '../users/lock-user.ts'

/** Queues a dead mail again; throws `mailExpired` if its code is no longer valid, `mailUnwanted` if it would not be sent. */
export const retryMail: UseCase<typeof contract.admin.retryMail> = async (ctx, { id }) => {
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
