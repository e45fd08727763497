import { type contract, appErrors, type Output, type Parsed } from '@community/contract'
import type { PasswordContext, MemberContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { updateProfile } from './update-profile.ts'

type Update = typeof contract.users.update

/** Like `PUT /users/profile`, with the caller's own id. Throws `notYourAccount` for any other id, also for administrators. */
export function updateUser(
  ctx: MemberContext & PasswordContext,
  { id, ...changes }: Parsed<Update>,
): Promise<Output<Update>> {
  if (id !== ctx.user.id) throw new AppError(appErrors.notYourAccount)
  return updateProfile(ctx, changes)
}
