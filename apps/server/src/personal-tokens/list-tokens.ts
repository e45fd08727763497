import type { contract, Output } from '@community/contract'
import type { SessionContext } from '../context.ts'
import { findTokens } from './queries.ts'
import { toPersonalToken } from './views.ts'

type TokensRoute = typeof contract.users.tokens

export async function listTokens({ db, user }: SessionContext): Promise<Output<TokensRoute>> {
  return { tokens: (await findTokens(db, user.id)).map(toPersonalToken) }
}
