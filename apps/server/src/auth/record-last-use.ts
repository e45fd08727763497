import { type Db, inTransaction } from '@community/db'
import { refreshFamilies } from '@community/db/schema'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'

/** Sign-ins whose note is being written: of many calls at once one writes. */
const writesInProgress = new WeakMap<Db, Set<string>>()

/**
 * Notes that a sign-in was just used, beside the call that used it: nobody waits for it. The session's own query tells when the
 * last note is a minute old, so a sign-in costs one write a minute at most.
 */
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
    .catch((error: unknown) => log.debug({ err: error }, 'when a sign-in was last used could not be noted'))
    .finally(() => inProgress.delete(familyId))
}
