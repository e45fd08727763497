import { type Db, inTransaction } from '@community/db'
import { refreshFamilies } from '@community/db/schema'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'

/** Sign-ins whose update is running, to avoid concurrent updates of one row. */
const writesInProgress = new WeakMap<Db, Set<string>>()

/** Records the last use of a sign-in in the background, at most once a minute: the session query reports when it is due. */
export function recordLastUse({ db, log }: Pick<Deps, 'db' | 'log'>, familyId: string): void {
  const inProgress = writesInProgress.get(db) ?? new Set()
  writesInProgress.set(db, inProgress)
  if (inProgress.has(familyId)) return
  inProgress.add(familyId)
  const stale = sql`${refreshFamilies.lastUsedAt} <= now() - interval '1 minute'`
  inTransaction(db, (tx) =>
    tx
      .update(refreshFamilies)
      .set({ lastUsedAt: sql`now()` })
      .where(and(eq(refreshFamilies.id, familyId), isNull(refreshFamilies.revokedAt), stale)),
  )
    .catch((error: unknown) => log.debug({ err: error }, 'Cannot record the last use of a sign-in'))
    .finally(() => inProgress.delete(familyId))
}
