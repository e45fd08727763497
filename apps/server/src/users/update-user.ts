import { type contract, faults, type Output, type Parsed } from '@community/contract'
import type { Hashing, MemberContext } from '../context.ts'
import { Refusal } from '../errors.ts'
import { updateProfile } from './update-profile.ts'

type Update = typeof contract.users.update

/** `PUT /users/profile` under one's own id; anybody else's is NOT_YOUR_ACCOUNT, to administrators too. */
export function updateUser(ctx: MemberContext & Hashing, { id, ...changes }: Parsed<Update>): Promise<Output<Update>> {
  if (id !== ctx.user.id) throw new Refusal(faults.notYourAccount)
  return updateProfile(ctx, changes)
}
