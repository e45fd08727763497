import { type contract, appErrors } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { emailKey } from '../auth/email-key.ts'
import { AppError } from '../errors.ts'
import { audit } from './audit.ts'
import { deleteBlacklistEntry, insertBlacklistEntry } from './moderation-commands.ts'
import { toBlacklistEntry } from './views.ts'
import { lockAdmin } from '../users/lock-user.ts'

/** Blocks registration with an email and its variants; existing accounts stay. */
export const addToBlacklist: UseCase<typeof contract.admin.addToBlacklist> = (ctx, input) => {
  if (emailKey(input.email) === emailKey(ctx.user.email)) throw new AppError(appErrors.ownAccount)
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const entry = await insertBlacklistEntry(tx, { ...input, createdBy: ctx.user.id })
    if (!entry) throw new AppError(appErrors.alreadyBlacklisted)
    await audit(tx, ctx, {
      action: 'admin.addToBlacklist',
      targetId: entry.id,
      details: input,
    })
    return { entry: toBlacklistEntry({ ...entry, author: ctx.user }) }
  })
}

/** Removes an email from the blacklist; bans stay in effect. */
export const removeFromBlacklist: UseCase<typeof contract.admin.removeFromBlacklist> = (ctx, { id }) =>
  inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const entry = await deleteBlacklistEntry(tx, id)
    if (!entry) throw new AppError(appErrors.entryMissing)
    const { email, reason } = entry
    await audit(tx, ctx, {
      action: 'admin.removeFromBlacklist',
      targetId: id,
      details: { email, reason },
    })
    return {}
  })
