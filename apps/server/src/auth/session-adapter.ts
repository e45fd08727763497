import { createHash } from 'node:crypto'
import { placeholders, type Reader, prepared } from '@community/db'
import { refreshFamilies, sessions, users } from '@community/db/schema'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Adapter, DatabaseSession, DatabaseUser } from 'lucia'

/** The form in which tokens are stored. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The session with its user and sign-in; no row if the sign-in has ended or the user is banned. */
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
  db
    .insert(sessions)
    .values({
      ...placeholders(['id', 'userId', 'familyId']),
      expiresAt: sql`now() + make_interval(secs => ${sql.placeholder('seconds')})`,
    })
    // A repeated refresh derives the same token.
    .onConflictDoNothing(),
)

/**
 * Stores Lucia's sessions by their hash, so that a leaked table contains no token. Lucia passes a session's id back to end or renew it,
 * so a loaded session carries the requested token as its id.
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
    // Lucia compares with this machine's clock, which may be wrong: convert the database's remaining time.
    const expiresAt = new Date(Date.now() + secondsLeft * 1000)
    return [
      { id: token, userId, expiresAt, attributes: { familyId, isLastUseStale } },
      { id: userId, attributes },
    ]
  }

  /** Not supported: tokens cannot be derived from hashes. Sign-ins are listed and ended by their family. */
  getUserSessions(): Promise<DatabaseSession[]> {
    return Promise.resolve([])
  }

  async setSession({ id, userId, expiresAt, attributes }: DatabaseSession): Promise<void> {
    const seconds = (expiresAt.getTime() - Date.now()) / 1000
    await insertSession(this.#reader, { id: hashToken(id), userId, familyId: attributes.familyId, seconds })
  }

  /** Not renewed: an access token expires after its 15 minutes. */
  updateSessionExpiration(): Promise<void> {
    return Promise.resolve()
  }

  /** Lucia deletes expired sessions on use. They stay for a day, so that the client can learn that its session expired. */
  async deleteSession(token: string): Promise<void> {
    await this.#reader
      .delete(sessions)
      .where(and(eq(sessions.id, hashToken(token)), gt(sessions.expiresAt, sql`now()`)))
  }

  async deleteUserSessions(userId: string): Promise<void> {
    await this.#reader.delete(sessions).where(eq(sessions.userId, userId))
  }

  /** Unused: housekeeping deletes expired sessions. */
  deleteExpiredSessions(): Promise<void> {
    return Promise.resolve()
  }
}
