import { type Db, inTransaction } from '@community/db'
import { refreshFamilies } from '@community/db/schema'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'

/** Sign-ins whose note is being written: of many calls at once one writes. */
const underWay = new WeakMap<Db, Set<string>>()

/**
 * Notes that a sign-in was just used, beside the call that used it: nobody waits for it. The session's own query tells when the
 * last note is a minute old, so a sign-in costs one write a minute at most.
 */
export function noteSeen({ db, log }: Pick<Deps, 'db' | 'log'>, familyId: string): void {
  const noting = underWay.get(db) ?? new Set()
  underWay.set(db, noting)
  if (noting.has(familyId)) return
  noting.add(familyId)
  const isStale = sql`${refreshFamilies.lastUsedAt} <= now() - interval '1 minute'`
  inTransaction(db, (tx) =>
    tx
      .update(refreshFamilies)
      .set({ lastUsedAt: sql`now()` })
      .where(and(eq(refreshFamilies.id, familyId), isNull(refreshFamilies.revokedAt), isStale)),
  )
    .catch((error: unknown) => log.debug({ err: error }, 'when a sign-in was last used could not be noted'))
    .finally(() => noting.delete(familyId))
}
