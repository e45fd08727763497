import type { contract } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { updatePage } from '../system/commands.ts'
import { lockAdmin } from '../users/lock-user.ts'
import { audit } from './audit.ts'

/** Replaces a page's text in one language; an empty one restores the default. The password is already verified. */
export const setPage: UseCase<typeof contract.admin.setPage> = async (ctx, { page, language, markdown }) => {
  await inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    await updatePage(tx, page, language, markdown)
    await audit(tx, ctx, {
      action: 'admin.setPage',
      details: { name: page, language, characters: markdown.length },
    })
  })
  return {}
}
