import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { findTokens } from './queries.ts'
import { toPersonalToken } from './views.ts'

export const listTokens: UseCase<typeof contract.users.tokens> = async ({ db, user }) => {
  return { tokens: (await findTokens(db, user.id)).map(toPersonalToken) }
}
