import type { contract, EmptyData, Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import type { VisitorContext } from '../context.ts'
import { endFamily, findFamilyByToken } from './sessions.ts'

type Logout = typeof contract.auth.logout

/**
 * Ends the sign-in of the bearer token and that of the refresh token given. Either is enough: the access token of a tab that
 * slept is dead. Who brings neither is answered alike: nobody learns here whether a token counts.
 */
export async function logout({ db, user }: VisitorContext, { refreshToken }: Parsed<Logout>): Promise<EmptyData> {
  const tokenFamily = refreshToken === undefined ? undefined : await findFamilyByToken(db, refreshToken)
  const families = new Set([user?.familyId, tokenFamily].filter((id) => id !== undefined))
  if (families.size === 0) return {}
  await inTransaction(db, async (tx) => {
    // In one order: two who sign out of the same ones do not wait for each other.
    for (const familyId of [...families].toSorted()) await endFamily(tx, familyId, 'signed out')
  })
  return {}
}
