import type { contract, Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import type { MemberContext } from '../context.ts'
import { endFamily, familyOf } from './sessions.ts'

type Logout = typeof contract.auth.logout

/** Ends this sign-in: its access and its refresh tokens; and the one of the refresh token given, where it is another of theirs. */
export async function logout({ db, user }: MemberContext, { refreshToken }: Parsed<Logout>): Promise<null> {
  await inTransaction(db, async (tx) => {
    const other = refreshToken === undefined ? undefined : await familyOf(tx, user.id, refreshToken)
    for (const familyId of new Set([user.familyId, other ?? user.familyId].toSorted()))
      await endFamily(tx, familyId, 'signed out')
  })
  return null
}
