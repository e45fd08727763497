import { type Db, prepared } from '@community/db'
import { pendingExternalSignIns } from '@community/db/schema'
import { and, eq, gt, sql } from 'drizzle-orm'
import { hashToken } from './hash-token.ts'

const insertPending = prepared('auth.insert-pending-external', (db) =>
  db.insert(pendingExternalSignIns).values({
    stateHash: sql`${sql.placeholder('stateHash')}`,
    expiresAt: sql`now() + make_interval(secs => ${sql.placeholder('seconds')})`,
  }),
)
/** Stores the OAuth state of a new sign-in, for one callback within `ttlSeconds`. */
export async function storePendingSignIn(db: Db, state: string, ttlSeconds: number): Promise<void> {
  await insertPending(db, { stateHash: hashToken(state), seconds: ttlSeconds })
}

const deletePending = prepared('auth.delete-pending-external', (db) =>
  db
    .delete(pendingExternalSignIns)
    .where(
      and(
        eq(pendingExternalSignIns.stateHash, sql.placeholder('stateHash')),
        gt(pendingExternalSignIns.expiresAt, sql`now()`),
      ),
    )
    .returning({ stateHash: pendingExternalSignIns.stateHash }),
)
/** Deletes a state. True if it was valid, for at most one caller; false if it is unknown, used or expired. */
export const consumePendingSignIn = async (db: Db, state: string): Promise<boolean> =>
  (await deletePending(db, { stateHash: hashToken(state) })).length > 0
