import type { TokenScope } from '@community/contract'
import type { Tx } from '@community/db'
import { personalTokens } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import { staleCondition } from '../auth/session-queries.ts'

export type TokenRow = typeof personalTokens.$inferSelect

interface NewToken {
  userId: string
  name: string
  hash: string
  scopes: TokenScope[]
  /** Null for a token that never expires. */
  expiresInDays: number | null
}

export async function insertToken(tx: Tx, { expiresInDays, ...values }: NewToken): Promise<TokenRow> {
  const expiresAt = expiresInDays === null ? null : sql`now() + make_interval(days => ${expiresInDays})`
  const [row] = await tx
    .insert(personalTokens)
    .values({ ...values, expiresAt })
    .returning()
  return row as TokenRow
}

/** Revokes one of the user's tokens and returns it; undefined if there is none. */
export async function deleteToken(tx: Tx, userId: string, id: string): Promise<TokenRow | undefined> {
  const [row] = await tx
    .delete(personalTokens)
    .where(and(eq(personalTokens.id, id), eq(personalTokens.userId, userId)))
    .returning()
  return row
}

/** Revokes all tokens of a user. Lock the user first, so that none is created concurrently. */
export async function deleteTokens(tx: Tx, userId: string): Promise<void> {
  await tx.delete(personalTokens).where(eq(personalTokens.userId, userId))
}

/** Removes the scope `admin` from a user's tokens permanently: they do not get it back with the role. */
export async function removeAdminScope(tx: Tx, userId: string): Promise<void> {
  const own = eq(personalTokens.userId, userId)
  await tx.delete(personalTokens).where(and(own, sql`${personalTokens.scopes} <@ '{admin}'`))
  await tx
    .update(personalTokens)
    .set({ scopes: sql`array_remove(${personalTokens.scopes}, 'admin')` })
    .where(own)
}

/** Records the last use of a token, at most once a minute. */
export async function touchToken(tx: Tx, id: string): Promise<void> {
  await tx
    .update(personalTokens)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(personalTokens.id, id), staleCondition(personalTokens.lastUsedAt)))
}
