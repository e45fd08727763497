import { type Db, inTransaction, type Tx } from '@community/db'
import type { Deps } from '../context.ts'

/** Sign-ins and tokens whose update is running, to avoid concurrent updates of one row. */
const writesInProgress = new WeakMap<Db, Set<string>>()

/** Records the last use of a sign-in or token in the background, at most once a minute: the caller's query reports when it is due. */
export function recordLastUse(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  id: string,
  update: (tx: Tx) => Promise<void>,
): void {
  const inProgress = writesInProgress.get(db) ?? new Set()
  writesInProgress.set(db, inProgress)
  if (inProgress.has(id)) return
  inProgress.add(id)
  inTransaction(db, update)
    .catch((error: unknown) => log.debug({ err: error }, 'Cannot record a last use'))
    .finally(() => inProgress.delete(id))
}
