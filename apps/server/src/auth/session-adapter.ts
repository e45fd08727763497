import type { Reader } from '@community/db'
import type { Adapter, DatabaseSession, DatabaseUser } from 'lucia'
import { hashToken } from './hash-token.ts'
import { deleteActiveSession, deleteSessionsOfUser, insertSession } from './session-commands.ts'
import { findSession } from './token-queries.ts'

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
    const row = await findSession(this.#reader, hashToken(token))
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
    await deleteActiveSession(this.#reader, hashToken(token))
  }

  async deleteUserSessions(userId: string): Promise<void> {
    await deleteSessionsOfUser(this.#reader, userId)
  }

  /** Unused: housekeeping deletes expired sessions. */
  deleteExpiredSessions(): Promise<void> {
    return Promise.resolve()
  }
}
