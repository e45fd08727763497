import type { contract } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { replacePicture } from '../uploads/profile-commands.ts'
import { queueRemoval, removeObjects } from '../uploads/remove-objects.ts'
import { logSecurityEvent } from '../observability/security-events.ts'
import { updateProfileRow } from './commands.ts'
import { confirmDisablingSignInCode } from './disable-sign-in-code.ts'
import { assertActive } from './lock-user.ts'
import { toProfile } from './views.ts'

/** Updates the given fields of the caller's account. An empty link and a null picture are removed. */
export const updateProfile: UseCase<typeof contract.users.updateProfile> = async (ctx, input) => {
  const { db, deps, user } = ctx
  const { github, instagram, portfolio, avatarUrl, currentPassword, ...otherFields } = input
  const disableSignInCode =
    input.signInOtp === false ? await confirmDisablingSignInCode(ctx, currentPassword) : undefined
  const links = Object.fromEntries(
    Object.entries({ github, instagram, portfolio }).flatMap(([name, link]) =>
      name in input ? [[name, link ?? null]] : [],
    ),
  )
  const { row, replacedKeys, isSignInCodeDisabled } = await inTransaction(db, async (tx) => {
    const wasDisabled = (await disableSignInCode?.(tx)) ?? false
    const keys = avatarUrl === null ? await replacePicture(tx, user.id, null) : []
    await queueRemoval(tx, deps, keys)
    const changed = assertActive(await updateProfileRow(tx, user, { ...otherFields, ...links }))
    return { row: changed, replacedKeys: keys, isSignInCodeDisabled: wasDisabled }
  })
  if (isSignInCodeDisabled) {
    wakeWorkers()
    logSecurityEvent(ctx, 'auth.sign_in_code_disabled')
  }
  await removeObjects(deps, replacedKeys)
  return { user: toProfile(row, deps) }
}
