import { appErrors, type ErrorDefinition, withMessage } from '@community/contract'
import { recordLastUse } from '../auth/record-last-use.ts'
import { hashToken } from '../auth/hash-token.ts'
import type { Caller, Deps } from '../context.ts'
import { touchToken } from './commands.ts'
import { tokenByHash } from './queries.ts'
import { isWellFormed } from './token-format.ts'

const personalTokenExpired = withMessage(
  appErrors.tokenExpired,
  'This access token has expired. Create a new one in your account settings.',
)

/**
 * Returns the owner of a personal access token, or the error why it is not accepted. Reads token and owner at every request, so that a
 * revocation, a ban or a role change takes effect immediately. With a token without the scope `admin`, administrators have the rights of members.
 */
export async function findTokenCaller(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  token: string,
): Promise<Caller | ErrorDefinition> {
  const [row] = isWellFormed(token) ? await tokenByHash(db, { hash: hashToken(token) }) : []
  if (!row) return appErrors.notSignedIn
  if (row.isExpired) return personalTokenExpired
  const { tokenId, tokenName, scopes, isLastUseStale, id, name, email, role } = row
  if (isLastUseStale) recordLastUse({ db, log }, tokenId, (tx) => touchToken(tx, tokenId))
  return {
    id,
    name,
    email,
    role: scopes.includes('admin') ? role : 'member',
    familyId: null,
    personalToken: { id: tokenId, name: tokenName, scopes, ownerRole: role },
  }
}
