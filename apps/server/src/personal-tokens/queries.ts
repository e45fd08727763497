import { type Reader, prepared, type Tx } from '@community/db'
import { personalTokens, users } from '@community/db/schema'
import { and, count, desc, eq, sql } from 'drizzle-orm'
import { staleCondition } from '../auth/session-queries.ts'

/** A token with its owner; no row if it was revoked or its owner is banned. */
export const tokenByHash = prepared('personal-tokens.by-hash', (db) =>
  db
    .select({
      tokenId: personalTokens.id,
      tokenName: personalTokens.name,
      scopes: personalTokens.scopes,
      isExpired: sql<boolean>`coalesce(${personalTokens.expiresAt} <= now(), false)`,
      isLastUseStale: staleCondition(personalTokens.lastUsedAt),
      id: users.id,
      name: users.name,
      email: users.email,
      role: users.role,
    })
    .from(personalTokens)
    .innerJoin(users, eq(users.id, personalTokens.userId))
    .where(and(eq(personalTokens.hash, sql.placeholder('hash')), eq(users.isBanned, false))),
)

const ownTokens = prepared('personal-tokens.own', (db) =>
  db
    .select()
    .from(personalTokens)
    .where(eq(personalTokens.userId, sql.placeholder('userId')))
    .orderBy(desc(personalTokens.createdAt), personalTokens.id),
)
/** A user's tokens, newest first; at most `limits.TOKENS_MAX`. */
export const findTokens = (db: Reader, userId: string) => ownTokens(db, { userId })

/** The number of a user's tokens, expired ones included. Lock the user first. */
export async function countTokens(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx.select({ total: count() }).from(personalTokens).where(eq(personalTokens.userId, userId))
  return row?.total ?? 0
}
