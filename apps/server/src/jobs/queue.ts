import { type Db, inTransaction, placeholders, prepared, type Tx } from '@community/db'
import { jobs } from '@community/db/schema'
import { and, asc, eq, getTableColumns, isNull, lt, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { tryUnseal } from '../auth/secret.ts'
import type { Deps } from '../context.ts'

export type Job = typeof jobs.$inferSelect

export interface NewJob extends Pick<typeof jobs.$inferInsert, 'template' | 'recipient' | 'language'> {
  kind: string
  /** A second job with the same key is not added while the first is stored. */
  key?: string
  payload: unknown
  /** Seconds until the job is due. */
  delay?: number
  /** Seconds after which the job is dead. */
  ttl?: number | null
}

export const inSeconds = (seconds: number | SQL | Placeholder) => sql`now() + make_interval(secs => ${seconds})`

type SealingDeps = Pick<Deps, 'secret'>
const DEFAULT_VALUES = { key: null, template: null, recipient: null, language: null, delay: 0, ttl: null }
const valuesOf = ({ secret }: SealingDeps, job: NewJob) => ({
  ...DEFAULT_VALUES,
  ...job,
  payload: secret.seal(JSON.stringify(job.payload)),
})
const insertedValues = {
  ...placeholders(['kind', 'key', 'template', 'recipient', 'language', 'payload']),
  availableAt: inSeconds(sql.placeholder('delay')),
  expiresAt: inSeconds(sql.placeholder('ttl')),
}
const jobInsert = prepared('jobs.insert', (q) => q.insert(jobs).values(insertedValues).onConflictDoNothing())
const decoyInsert = prepared('jobs.insert-decoy', (q) =>
  q.insert(jobs).values({ ...insertedValues, recipient: '', payload: '', status: 'done', doneAt: sql`now()` }),
)

/** The payload of a job; undefined if it was sealed with another APP_SECRET. */
export function readPayload({ secret }: SealingDeps, { payload }: Job): unknown {
  const text = payload && tryUnseal(secret, payload)
  return text && JSON.parse(text)
}

/** Adds the recurring jobs that are not stored yet: one row of each kind for all processes. */
export async function addRecurring(tx: Tx, kinds: string[]): Promise<void> {
  if (kinds.length === 0) return
  await tx
    .insert(jobs)
    .values(kinds.map((kind) => ({ kind, key: kind, payload: '' })))
    .onConflictDoNothing()
}

/** Adds a job to the transaction of its cause; a worker runs it after the commit, at once if `wakeWorkers` is called then. */
export async function enqueue(tx: Tx, deps: SealingDeps, job: NewJob): Promise<void> {
  await jobInsert(tx, valuesOf(deps, job))
}

/** Takes as long as `enqueue`, so that timing reveals nothing, and inserts a finished job without a recipient. */
export async function enqueueDecoy(tx: Tx, deps: SealingDeps, job: NewJob): Promise<void> {
  await decoyInsert(tx, valuesOf(deps, job))
}

const wakers = new Set<() => void>()

/** Makes this process's workers poll now. Call it after the commit of a transaction that added a job. */
export function wakeWorkers(): void {
  for (const wake of wakers) wake()
}

/** Registers a worker for `wakeWorkers`; returns a function that unregisters it. */
export function onWake(wake: () => void): () => void {
  wakers.add(wake)
  return () => wakers.delete(wake)
}

const claimedColumns = {
  ...getTableColumns(jobs),
  isExpired: sql<boolean>`coalesce(${jobs.expiresAt} <= now(), false)`,
}
export type ClaimedJob = Job & { isExpired: boolean }

/** At most `max` jobs of some kinds together. */
export interface ClaimLimit {
  kinds: string[]
  max: number
}

/** Claims due jobs up to each limit; `leases` maps each kind to the seconds of its lease. */
export async function claim(tx: Tx, leases: Record<string, number>, claimLimits: ClaimLimit[]): Promise<ClaimedJob[]> {
  const unleasedCondition = or(isNull(jobs.leaseUntil), lt(jobs.leaseUntil, sql`now()`))
  const selectDue = ({ kinds, max }: ClaimLimit) => {
    const dueOfKind = tx
      .select({ id: jobs.id, availableAt: jobs.availableAt })
      .from(jobs)
      .where(
        and(
          eq(jobs.status, 'pending'),
          eq(jobs.kind, sql`kinds.kind`),
          sql`${jobs.availableAt} <= now()`,
          unleasedCondition,
        ),
      )
      .orderBy(asc(jobs.availableAt))
      .limit(max)
      .for('update', { skipLocked: true })
    return sql`select due.id from unnest(${sql.param(kinds)}::text[]) kinds (kind), lateral ${dueOfKind} due
      order by due.available_at limit ${max}`
  }
  // Arrays, so that each inner query runs once. It locks up to `max` jobs of each kind, which another process skips until this commit.
  const due = sql.join(
    claimLimits.map((claimLimit) => sql`array(${selectDue(claimLimit)})`),
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

/** Matches the job unless it has been claimed again or reset since this claim. */
export const claimCondition = ({ id, attempts, leaseUntil }: Job): SQL | undefined =>
  and(
    eq(jobs.id, id),
    leaseUntil ? eq(jobs.leaseUntil, leaseUntil) : isNull(jobs.leaseUntil),
    eq(jobs.attempts, attempts),
    eq(jobs.status, 'pending'),
  )

/** Records the outcome of an attempt, unless its lease has expired and another worker has claimed the job. */
export function settle(db: Db, job: Job, change: Change): Promise<unknown> {
  return inTransaction(db, (tx) =>
    tx
      .update(jobs)
      .set({ leaseUntil: null, ...change })
      .where(claimCondition(job)),
  )
}

/** The lease, in seconds, of a job that renews it during its run, so that another process soon goes on after a crash. */
export const RENEWED_LEASE_SECONDS = 60

/** Extends the lease of a running job, in `job` too; false if another worker has claimed it meanwhile. */
export async function renewLease(db: Db, job: Job): Promise<boolean> {
  const [row] = await inTransaction(db, (tx) =>
    tx
      .update(jobs)
      .set({ leaseUntil: inSeconds(RENEWED_LEASE_SECONDS) })
      .where(claimCondition(job))
      .returning({ leaseUntil: jobs.leaseUntil }),
  )
  if (row) job.leaseUntil = row.leaseUntil
  return row !== undefined
}

/** Runs a part of a job that may take longer than its lease, and renews the lease meanwhile. */
export async function whileRenewingLease<T>(db: Db, job: Job, run: () => Promise<T>): Promise<T> {
  let renewals: Promise<unknown> = Promise.resolve()
  const renew = () => {
    // A failure is ignored: the next renewal comes before the lease ends.
    renewals = renewals.then(() => renewLease(db, job)).catch(() => {})
  }
  const timer = setInterval(renew, (RENEWED_LEASE_SECONDS * 1000) / 3)
  try {
    return await run()
  } finally {
    clearInterval(timer)
    // `settle` compares the stored lease with that of `job`.
    await renewals
  }
}
