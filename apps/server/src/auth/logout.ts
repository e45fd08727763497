import type { contract } from '@community/contract'
import { inTransaction } from '@community/db'
import type { UseCase } from '../context.ts'
import { hashToken } from './hash-token.ts'
import { endFamily } from './session-commands.ts'
import { findFamily } from './token-queries.ts'

/**
 * Ends the sign-ins of the bearer token and of the refresh token; a request needs only one of them, because the access token may
 * have expired. Responds the same if neither is valid, so that the response does not tell whether a token is.
 */
export const logout: UseCase<typeof contract.auth.logout> = async ({ db, user }, { refreshToken }) => {
  const ofToken = refreshToken === undefined ? undefined : await findFamily(db, hashToken(refreshToken))
  const families = new Set([user?.familyId, ofToken?.familyId].filter((id) => typeof id === 'string'))
  if (families.size === 0) return {}
  await inTransaction(db, async (tx) => {
    // Sorted, so that two concurrent sign-outs of the same sessions do not deadlock.
    for (const familyId of [...families].toSorted()) await endFamily(tx, familyId, 'signed out')
  })
  return {}
}
