import { type contract, appErrors } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { updateProfile } from './update-profile.ts'

/** Like `PUT /users/profile`, with the caller's own id. Throws `notYourAccount` for any other id, also for administrators. */
export const updateUser: UseCase<typeof contract.users.update> = (ctx, { id, ...changes }) => {
  if (id !== ctx.user.id) throw new AppError(appErrors.notYourAccount)
  return updateProfile(ctx, changes)
}
