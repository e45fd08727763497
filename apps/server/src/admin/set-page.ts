import type { contract, EmptyData, ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { updatePage } from '../system/queries.ts'
import { lockAdmin } from '../users/lock-user.ts'
import { audit } from './audit.ts'

type SetPageRoute = typeof contract.admin.setPage

/** Replaces a page's text in one language; an empty one restores the default. The password is already verified. */
export async function setPage(
  ctx: AuthenticatedContext,
  { page, language, markdown }: ParsedInput<SetPageRoute>,
): Promise<EmptyData> {
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
