import { type Failure, type ErrorDefinition, appErrors, limits } from '@community/contract'
import { constraintOf, type Db, placeholders, prepared } from '@community/db'
import { idempotencyKeys } from '@community/db/schema'
import { and, eq, getTableColumns, lte, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { toFailure } from './failure.ts'

/** Seconds after which a run that has not answered is taken to have crashed; well above the longest request. */
const LEASE = 60
/** The row's status between the commit of the effect and the keeping of its answer. */
const TOOK_EFFECT = 0

type Kept = { data: unknown; message?: string | undefined } | { failure: Failure; status: number }

/** Keyed: a body may hold a password, which could be guessed from a plain hash. */
const hashOf = (ctx: Context, input: unknown): string =>
  ctx.deps.secret.hmac('idempotency', JSON.stringify(input) ?? '')

/**
 * Runs a call once for an Idempotency-Key: the same key and body get the same answer for 24 hours, another
 * body 422, a run still under way 409. A refused call frees its key, so that it is tried anew. The key is marked in the transaction of the effect, so that a crash between the
 * commit and the answer cannot make a second effect.
 */
export async function withIdempotency<T>(
  call: string,
  ctx: Context,
  input: unknown,
  run: () => Promise<T> | T,
): Promise<T> {
  const key = ctx.request.idempotencyKey
  if (key === undefined) return run()
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new AppError(appErrors.idempotencyKeyInvalid)
  const row = { owner: ctx.user?.id ?? `address:${ctx.request.address}`, key }
  const kept = await claim(ctx, row, call, hashOf(ctx, input))
  if (kept) return replay<T>(ctx, kept)

  const db = ctx.db
  ctx.db = markingDb(db, row)
  try {
    const data = await run()
    await keep(ctx, db, row, 201, { data, message: ctx.message })
    return data
  } catch (error) {
    const { status, body } = toFailure(error)
    const isFree = await release(db, row)
    // It took effect before it was refused: a repeated call must not act again.
    if (!isFree && status < 500 && status !== 429) await keep(ctx, db, row, status, { failure: body, status })
    throw error
  } finally {
    ctx.db = db
  }
}

interface Row {
  owner: string
  key: string
}
const isRow = and(eq(idempotencyKeys.owner, sql.placeholder('owner')), eq(idempotencyKeys.key, sql.placeholder('key')))
const lease = sql`now() + make_interval(secs => ${LEASE})`
const life = sql`now() + make_interval(secs => ${limits.IDEMPOTENCY_LIFE})`

const claimed = prepared('idempotency.claim', (db) => {
  const anew = { status: null, answer: null, leaseUntil: lease, expiresAt: life, createdAt: sql`now()` }
  return db
    .insert(idempotencyKeys)
    .values({ ...placeholders(['owner', 'key', 'call', 'bodyHash']), ...anew })
    .onConflictDoUpdate({
      target: [idempotencyKeys.owner, idempotencyKeys.key],
      set: { call: sql`excluded.call`, bodyHash: sql`excluded.body_hash`, ...anew },
      setWhere: sql`${idempotencyKeys.expiresAt} < now() or (${idempotencyKeys.status} is null and ${idempotencyKeys.leaseUntil} < now()
        and ${idempotencyKeys.call} = excluded.call and ${idempotencyKeys.bodyHash} = excluded.body_hash)`,
    })
    .returning({ key: idempotencyKeys.key })
})
const rowByKey = prepared('idempotency.by-key', (db) => {
  const isAbandoned = sql<boolean>`coalesce(${idempotencyKeys.leaseUntil} < now(), false)`
  return db
    .select({ ...getTableColumns(idempotencyKeys), isAbandoned })
    .from(idempotencyKeys)
    .where(isRow)
})
const expiredOfOwner = prepared('idempotency.delete-expired', (db) =>
  db
    .delete(idempotencyKeys)
    .where(and(eq(idempotencyKeys.owner, sql.placeholder('owner')), lte(idempotencyKeys.expiresAt, sql`now()`)))
    .returning({ key: idempotencyKeys.key }),
)
const untilExpiry = prepared('idempotency.until-expiry', (db) =>
  db
    .select({
      cooldown: sql<number>`greatest(1, ceil(extract(epoch from min(${idempotencyKeys.expiresAt}) - now())))::int`,
    })
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.owner, sql.placeholder('owner'))),
)
/** Claims a key. Where its owner has too many, those that have expired but are not swept yet make room. */
async function claimWithinLimit(db: Db, claim: Row & { call: string; bodyHash: string }) {
  try {
    return await claimed(db, { ...claim })
  } catch (error) {
    if (constraintOf(error) !== 'idempotency_owners_live') throw error
  }
  const { owner } = claim
  if ((await expiredOfOwner(db, { owner })).length > 0) return claimed(db, { ...claim })
  const [until] = await untilExpiry(db, { owner })
  throw new AppError(appErrors.tooManyIdempotencyKeys, { cooldown: until?.cooldown ?? 1 })
}

/** Takes the key for this run, or finds the answer kept for it. */
async function claim(ctx: Context, row: Row, call: string, bodyHash: string): Promise<Kept | null> {
  const [mine] = await claimWithinLimit(ctx.db, { ...row, call, bodyHash })
  if (mine) return null
  const [known] = await rowByKey(ctx.db, { ...row })
  if (!known) throw new AppError(appErrors.idempotencyKeyRunning)
  if (known.call !== call || known.bodyHash !== bodyHash) throw new AppError(appErrors.idempotencyKeyReused)
  if (known.answer !== null) return JSON.parse(ctx.deps.secret.open(known.answer)) as Kept
  if (known.status === TOOK_EFFECT && known.isAbandoned) throw new AppError(appErrors.idempotencyKeySpent)
  throw new AppError(appErrors.idempotencyKeyRunning)
}

function replay<T>(ctx: Context, kept: Kept): T {
  if ('failure' in kept) {
    const { success: _success, errors, ...failure } = kept.failure
    const path = errors?.[0]?.path
    // It was a fault's own body when it was kept.
    throw new AppError({ ...failure, status: kept.status, ...(path !== undefined && { path }) } as ErrorDefinition)
  }
  if (kept.message !== undefined) ctx.message = kept.message
  return kept.data as T
}

const answerKept = prepared('idempotency.keep', (db) =>
  db
    .update(idempotencyKeys)
    .set({ status: sql`${sql.placeholder('status')}`, answer: sql`${sql.placeholder('answer')}` })
    .where(isRow),
)
async function keep(ctx: Context, db: Db, row: Row, status: number, kept: Kept): Promise<void> {
  await answerKept(db, { ...row, status, answer: ctx.deps.secret.seal(JSON.stringify(kept)) })
}

const released = prepared('idempotency.release', (db) =>
  db
    .delete(idempotencyKeys)
    .where(and(isRow, sql`${idempotencyKeys.status} is null`))
    .returning({ key: idempotencyKeys.key }),
)
/** Deletes the row of a run that took no effect. False where it did. */
const release = async (db: Db, row: Row): Promise<boolean> => (await released(db, { ...row })).length > 0

const marked = prepared('idempotency.mark', (db) =>
  db.update(idempotencyKeys).set({ status: TOOK_EFFECT }).where(isRow),
)
/** The same database, whose transactions also write that the key's effect has happened. */
function markingDb(db: Db, row: Row): Db {
  const marking: Db = Object.create(db)
  marking.transaction = (work, config) =>
    db.transaction(async (tx) => {
      const result = await work(tx)
      await marked(tx, { ...row })
      return result
    }, config)
  return marking
}
