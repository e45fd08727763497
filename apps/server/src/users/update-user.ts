import { type contract, appErrors, type Output, type ParsedInput } from '@community/contract'
import type { PasswordContext, AuthenticatedContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { updateProfile } from './update-profile.ts'

type UpdateRoute = typeof contract.users.update

/** Like `PUT /users/profile`, with the caller's own id. Throws `notYourAccount` for any other id, also for administrators. */
export function updateUser(
  ctx: AuthenticatedContext & PasswordContext,
  { id, ...changes }: ParsedInput<UpdateRoute>,
): Promise<Output<UpdateRoute>> {
  if (id !== ctx.user.id) throw new AppError(appErrors.notYourAccount)
  return updateProfile(ctx, changes)
}
