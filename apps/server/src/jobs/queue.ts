import { type Db, inTransaction, type Tx } from '@community/db'
import { jobs } from '@community/db/schema'
import { and, asc, eq, getTableColumns, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'

export type Job = typeof jobs.$inferSelect

export interface NewJob extends Pick<typeof jobs.$inferInsert, 'template' | 'recipient' | 'language'> {
  kind: string
  /** A second job with the same key is not added while the first is stored. */
  key?: string
  payload: unknown
  /** When the job is due, if not at once. */
  availableAt?: SQL
  /** The job is dead after this time of the database's clock. */
  expiresAt?: SQL
}

type Sealing = Pick<Deps, 'secret'>
const rowOf = ({ secret }: Sealing, { payload, ...job }: NewJob) => ({
  ...job,
  payload: secret.seal(JSON.stringify(payload)),
})

/** Adds the missing recurring jobs: one row of each kind for all processes. */
export async function addRecurring(tx: Tx, kinds: string[]): Promise<void> {
  if (kinds.length === 0) return
  await tx
    .insert(jobs)
    .values(kinds.map((kind) => ({ kind, key: kind, payload: '' })))
    .onConflictDoNothing()
}

/** Adds a job to the transaction of its cause; a worker runs it after the commit, at once if `wakeWorkers` is called then. */
export async function enqueue(tx: Tx, deps: Sealing, job: NewJob): Promise<void> {
  await tx.insert(jobs).values(rowOf(deps, job)).onConflictDoNothing()
}

/** Takes as long as `enqueue`, so that timing reveals nothing, and inserts a finished job without a recipient. */
export async function enqueueDecoy(tx: Tx, deps: Sealing, job: NewJob): Promise<void> {
  const done = { recipient: '', payload: '', status: 'done', doneAt: sql`now()` } as const
  await tx.insert(jobs).values({ ...rowOf(deps, job), ...done })
}

const wakers = new WeakMap<Db, Set<() => void>>()

/** Makes this process's workers poll now. Call it after the commit of a transaction that added a job. */
export function wakeWorkers(db: Db): void {
  for (const wake of wakers.get(db) ?? []) wake()
}

/** Registers a worker for `wakeWorkers`; returns a function that unregisters it. */
export function onWake(db: Db, wake: () => void): () => void {
  const all = wakers.get(db) ?? new Set()
  wakers.set(db, all.add(wake))
  return () => all.delete(wake)
}

export const inSeconds = (seconds: number | SQL) => sql`now() + make_interval(secs => ${seconds})`
const claimedColumns = {
  ...getTableColumns(jobs),
  isExpired: sql<boolean>`coalesce(${jobs.expiresAt} <= now(), false)`,
}
export type ClaimedJob = Job & { isExpired: boolean }

/** At most `limit` jobs of some kinds. */
export interface Share {
  kinds: string[]
  limit: number
}

/** Claims the due jobs of each share; `leases` maps each kind to the seconds of its lease. */
export async function claim(tx: Tx, leases: Record<string, number>, shares: Share[]): Promise<ClaimedJob[]> {
  const isFree = or(isNull(jobs.leaseUntil), lt(jobs.leaseUntil, sql`now()`))
  const dueOf = ({ kinds, limit }: Share) =>
    tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.status, 'pending'), sql`${jobs.availableAt} <= now()`, isFree, inArray(jobs.kind, kinds)))
      .orderBy(asc(jobs.availableAt))
      .limit(limit)
      .for('update', { skipLocked: true })
  // Arrays, so that each inner query runs once.
  const due = sql.join(
    shares.map((share) => sql`array(${dueOf(share)})`),
    sql` || `,
  )
  return tx
    .update(jobs)
    .set({
      leaseUntil: inSeconds(sql`(${JSON.stringify(leases)}::jsonb ->> ${jobs.kind})::int`),
      attempts: sql`${jobs.attempts} + 1`,
    })
    .where(sql`${jobs.id} = any(${due})`)
    .returning(claimedColumns)
}

export type Change = Partial<Omit<typeof jobs.$inferInsert, 'doneAt' | 'availableAt'>> & {
  doneAt?: SQL
  availableAt?: SQL
}

/** Records the outcome of an attempt, unless its lease has expired and another worker has claimed the job. */
export function settle(db: Db, { id, attempts, leaseUntil }: Job, change: Change): Promise<unknown> {
  const isLease = leaseUntil ? eq(jobs.leaseUntil, leaseUntil) : isNull(jobs.leaseUntil)
  const isOwnClaim = and(eq(jobs.id, id), isLease, eq(jobs.attempts, attempts), eq(jobs.status, 'pending'))
  return inTransaction(db, (tx) =>
    tx
      .update(jobs)
      .set({ leaseUntil: null, ...change })
      .where(isOwnClaim),
  )
}
