import type { PersonalToken } from '@community/contract'
import type { TokenRow } from './commands.ts'

export const toPersonalToken = ({ id, name, scopes, createdAt, lastUsedAt, expiresAt }: TokenRow): PersonalToken => ({
  id,
  _id: id,
  name,
  scopes,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
})
