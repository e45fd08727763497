import { type contract, appErrors, type Output, type Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import type { PasswordContext, MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { replacePicture } from '../uploads/profile-commands.ts'
import { removeObjects } from '../uploads/remove-objects.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { accountSearchText } from '../search/search-text.ts'
import { confirmTurningOffCode } from './turn-off-code.ts'
import { profileOf } from './views.ts'

type Update = typeof contract.users.updateProfile

/** Updates the given fields of the caller's account. An empty link and a null picture are removed. */
export async function updateProfile(
  ctx: MemberContext & PasswordContext,
  input: Parsed<Update>,
): Promise<Output<Update>> {
  const { db, deps, user } = ctx
  const { github, instagram, portfolio, avatarUrl, currentPassword, ...plain } = input
  const turnOffCode = input.signInOtp === false ? await confirmTurningOffCode(ctx, currentPassword) : undefined
  const links = Object.fromEntries(
    Object.entries({ github, instagram, portfolio }).flatMap(([name, link]) =>
      name in input ? [[name, link ?? null]] : [],
    ),
  )
  const renamed = input.name === undefined ? {} : { searchText: accountSearchText(input.name, user.email) }
  const { row, dropped, isCodeOff } = await inTransaction(db, async (tx) => {
    const isTurnedOff = (await turnOffCode?.(tx)) ?? false
    const keys = avatarUrl === null ? await replacePicture(tx, user.id, null) : []
    const [changed] = await tx
      .update(users)
      .set({ ...plain, ...links, ...renamed, updatedAt: sql`now()` })
      .where(eq(users.id, user.id))
      .returning()
    if (!changed) throw new AppError(appErrors.notSignedIn)
    return { row: changed, dropped: keys, isCodeOff: isTurnedOff }
  })
  wakeWorkers(db)
  if (isCodeOff) logSecurityEvent(ctx, 'auth.sign_in_code_disabled')
  await removeObjects(deps, dropped)
  return { user: profileOf(row) }
}
