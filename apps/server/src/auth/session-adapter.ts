import { createHash } from 'node:crypto'
import { placeholders, type Reader, prepared } from '@community/db'
import { refreshFamilies, sessions, users } from '@community/db/schema'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Adapter, DatabaseSession, DatabaseUser } from 'lucia'

/** What the database keeps of a token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The session, its owner and its sign-in; nobody when the sign-in was ended or its owner banned. */
const sessionByHash = prepared('session_by_hash', (q) =>
  q
    .select({
      userId: sessions.userId,
      familyId: sessions.familyId,
      secondsLeft: sql<number>`extract(epoch from ${sessions.expiresAt} - now())::float`,
      name: users.name,
      email: users.email,
      role: users.role,
      isLastUseStale: sql<boolean>`${refreshFamilies.lastUsedAt} <= now() - interval '1 minute'`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(refreshFamilies, eq(refreshFamilies.id, sessions.familyId))
    .where(and(eq(sessions.id, sql.placeholder('hash')), eq(users.isBanned, false), isNull(refreshFamilies.revokedAt))),
)

const insertSession = prepared('auth.insert-session', (db) =>
  db.insert(sessions).values({
    ...placeholders(['id', 'userId', 'familyId']),
    expiresAt: sql`now() + make_interval(secs => ${sql.placeholder('seconds')})`,
  }),
)

/**
 * Keeps Lucia's sessions as hashes: a leaked table holds no token. Lucia hands the session's id back when it ends or renews
 * one, so a found session carries the token that was asked for.
 */
export class HashedSessionAdapter implements Adapter {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  async getSessionAndUser(token: string): Promise<[DatabaseSession | null, DatabaseUser | null]> {
    const [row] = await sessionByHash(this.#reader, { hash: hashToken(token) })
    if (!row) return [null, null]
    const { userId, familyId, secondsLeft, isLastUseStale, ...attributes } = row
    // Lucia judges by this machine's clock, which may be wrong: it is told the database's verdict.
    const expiresAt = new Date(Date.now() + secondsLeft * 1000)
    return [
      { id: token, userId, expiresAt, attributes: { familyId, isLastUseStale } },
      { id: userId, attributes },
    ]
  }

  /** Tokens cannot be told from their hashes: sign-ins are listed and ended by their family. */
  getUserSessions(): Promise<DatabaseSession[]> {
    return Promise.resolve([])
  }

  async setSession({ id, userId, expiresAt, attributes }: DatabaseSession): Promise<void> {
    const seconds = (expiresAt.getTime() - Date.now()) / 1000
    await insertSession(this.#reader, { id: hashToken(id), userId, familyId: attributes.familyId, seconds })
  }

  /** An access token lives its fifteen minutes and no longer. */
  updateSessionExpiration(): Promise<void> {
    return Promise.resolve()
  }

  /** Lucia deletes an expired session when it meets it; it is kept a while, so that its owner can be told that it expired. */
  async deleteSession(token: string): Promise<void> {
    await this.#reader
      .delete(sessions)
      .where(and(eq(sessions.id, hashToken(token)), gt(sessions.expiresAt, sql`now()`)))
  }

  async deleteUserSessions(userId: string): Promise<void> {
    await this.#reader.delete(sessions).where(eq(sessions.userId, userId))
  }

  /** Nobody asks for it: housekeeping deletes what has expired. */
  deleteExpiredSessions(): Promise<void> {
    return Promise.resolve()
  }
}
