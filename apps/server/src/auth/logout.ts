import { inTransaction } from '@community/db'
import type { MemberContext } from '../context.ts'
import { endFamily } from './sessions.ts'

/** Ends this sign-in: its access and its refresh tokens. */
export async function logout({ db, user }: MemberContext): Promise<null> {
  await inTransaction(db, (tx) => endFamily(tx, user.familyId, 'signed out'))
  return null
}
