import { type contract, type EmptyData, appErrors, type Output, type Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import { emailKey } from '../auth/blacklist.ts'
import type { MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { audit } from './audit.ts'
import { deleteEntry, insertEntry } from './moderation-commands.ts'
import { entryOf } from './views.ts'
import { lockAdmin } from '../users/lock-user.ts'

type Add = typeof contract.admin.addToBlacklist
type Remove = typeof contract.admin.removeFromBlacklist

/** Blocks registration with an address and its variants; existing accounts stay. */
export function addToBlacklist(ctx: MemberContext, input: Parsed<Add>): Promise<Output<Add>> {
  if (emailKey(input.email) === emailKey(ctx.user.email)) throw new AppError(appErrors.ownAccount)
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const entry = await insertEntry(tx, { ...input, createdBy: ctx.user.id })
    if (!entry) throw new AppError(appErrors.alreadyBlacklisted)
    await audit(tx, ctx, {
      action: 'admin.addToBlacklist',
      targetType: 'blacklist',
      targetId: entry.id,
      details: input,
    })
    return { entry: entryOf({ ...entry, author: ctx.user }) }
  })
}

/** Removes an address from the blacklist; bans stay in effect. */
export function removeFromBlacklist(ctx: MemberContext, { id }: Parsed<Remove>): Promise<EmptyData> {
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const entry = await deleteEntry(tx, id)
    if (!entry) throw new AppError(appErrors.entryMissing)
    const { email, reason } = entry
    await audit(tx, ctx, {
      action: 'admin.removeFromBlacklist',
      targetType: 'blacklist',
      targetId: id,
      details: { email, reason },
    })
    return {}
  })
}
