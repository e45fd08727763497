import { type Failure, type ErrorDefinition, appErrors, limits } from '@community/contract'
import { constraintOf, type Db, placeholders, prepared, secondsUntil } from '@community/db'
import { idempotencyKeys } from '@community/db/schema'
import { and, eq, getTableColumns, lte, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { toFailure } from './failure.ts'

/** Lease of a running request in seconds, longer than any request takes but an upload: a key held for longer belongs to a crashed process. */
const LEASE_SECONDS = 60
/** The row's status between the commit of the effect and the storing of the response. */
const COMMITTED = 0

type StoredResponse = { data: unknown; message?: string | undefined } | { failure: Failure; status: number }

/** An HMAC, because a password in the body could be guessed from a plain hash. */
const hashBody = (ctx: Context, input: unknown): string =>
  ctx.deps.secret.hmac('idempotency', JSON.stringify(input) ?? '')

/**
 * Runs a procedure once per Idempotency-Key. The same key and body get the stored response for 24 hours, another body 422, a request
 * that is still running 409. A failure frees the key. The transaction of the effect also marks the key, so that a retry after a crash
 * between commit and response does not repeat the effect.
 */
export async function withIdempotency<T>(
  call: string,
  ctx: Context,
  input: unknown,
  run: () => Promise<T> | T,
  leaseSeconds = LEASE_SECONDS,
): Promise<T> {
  const key = ctx.request.idempotencyKey
  if (key === undefined) return run()
  if (key.length > limits.IDEMPOTENCY_KEY_LENGTH_MAX || !/^[\x21-\x7e]+$/.test(key))
    throw new AppError(appErrors.idempotencyKeyInvalid)
  const row = { owner: ctx.user?.id ?? `address:${ctx.request.ip}`, key }
  const { claimed, stored } = await claimKey(ctx, row, { call, bodyHash: hashBody(ctx, input), leaseSeconds })
  if (stored) return replay(ctx, stored) as T

  const db = ctx.db
  ctx.db = withCommitMark(db, claimed)
  try {
    const data = await run()
    await storeResponse(ctx, db, claimed, 201, { data, message: ctx.message })
    return data
  } catch (error) {
    const { status, body } = toFailure(error)
    const isFree = await releaseKey(db, claimed)
    // It failed after its effect was committed: a retry must not repeat the effect.
    if (!isFree && status < 500 && status !== 429)
      await storeResponse(ctx, db, claimed, status, { failure: body, status })
    throw error
  } finally {
    ctx.db = db
  }
}

interface Row {
  owner: string
  key: string
}
/** A row while it is this request's: after the lease another one may claim the key, at another time. */
interface ClaimedRow extends Row {
  createdAt: string
}
interface Claim {
  call: string
  bodyHash: string
  leaseSeconds: number
}
const matchesRow = and(
  eq(idempotencyKeys.owner, sql.placeholder('owner')),
  eq(idempotencyKeys.key, sql.placeholder('key')),
)
const matchesClaim = and(matchesRow, eq(idempotencyKeys.createdAt, sql.placeholder('createdAt')))
const leaseEnd = sql`now() + make_interval(secs => ${sql.placeholder('leaseSeconds')}::int)`
const expiry = sql`now() + make_interval(secs => ${limits.IDEMPOTENCY_KEY_TTL})`

const claimStatement = prepared('idempotency.claim', (db) => {
  const claim = { status: null, answer: null, leaseUntil: leaseEnd, expiresAt: expiry, createdAt: sql`now()` }
  return db
    .insert(idempotencyKeys)
    .values({ ...placeholders(['owner', 'key', 'call', 'bodyHash']), ...claim })
    .onConflictDoUpdate({
      target: [idempotencyKeys.owner, idempotencyKeys.key],
      set: { call: sql`excluded.call`, bodyHash: sql`excluded.body_hash`, ...claim },
      setWhere: sql`${idempotencyKeys.expiresAt} < now() or (${idempotencyKeys.status} is null and ${idempotencyKeys.leaseUntil} < now()
        and ${idempotencyKeys.call} = excluded.call and ${idempotencyKeys.bodyHash} = excluded.body_hash)`,
    })
    .returning({ createdAt: sql<string>`${idempotencyKeys.createdAt}::text` })
})
const selectRow = prepared('idempotency.by-key', (db) => {
  const abandonedCondition = sql<boolean>`coalesce(${idempotencyKeys.leaseUntil} < now(), false)`
  return db
    .select({ ...getTableColumns(idempotencyKeys), isAbandoned: abandonedCondition })
    .from(idempotencyKeys)
    .where(matchesRow)
})
const deleteExpired = prepared('idempotency.delete-expired', (db) =>
  db
    .delete(idempotencyKeys)
    .where(and(eq(idempotencyKeys.owner, sql.placeholder('owner')), lte(idempotencyKeys.expiresAt, sql`now()`)))
    .returning({ key: idempotencyKeys.key }),
)
const selectCooldown = prepared('idempotency.until-expiry', (db) =>
  db
    .select({
      cooldown: secondsUntil(sql`min(${idempotencyKeys.expiresAt})`),
    })
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.owner, sql.placeholder('owner'))),
)
/** Claims a key. If its owner has too many, deletes the owner's expired ones and claims again, or throws 429. */
async function claimWithinLimit(db: Db, claim: Row & Claim) {
  try {
    return await claimStatement(db, { ...claim })
  } catch (error) {
    if (constraintOf(error) !== 'idempotency_owners_live') throw error
  }
  const { owner } = claim
  if ((await deleteExpired(db, { owner })).length > 0) return claimStatement(db, { ...claim })
  const [oldest] = await selectCooldown(db, { owner })
  throw new AppError(appErrors.tooManyIdempotencyKeys, { cooldown: oldest?.cooldown ?? 1 })
}

/** Claims the key for this request, or returns the response stored for it. Throws when another request holds the key. */
async function claimKey(
  ctx: Context,
  row: Row,
  claim: Claim,
): Promise<{ claimed: ClaimedRow; stored?: never } | { claimed?: never; stored: StoredResponse }> {
  const { call, bodyHash } = claim
  const [claimed] = await claimWithinLimit(ctx.db, { ...row, ...claim })
  if (claimed) return { claimed: { ...row, ...claimed } }
  const [existing] = await selectRow(ctx.db, { ...row })
  if (!existing) throw new AppError(appErrors.idempotencyKeyRunning)
  if (existing.call !== call || existing.bodyHash !== bodyHash) throw new AppError(appErrors.idempotencyKeyReused)
  if (existing.answer !== null) return { stored: JSON.parse(ctx.deps.secret.unseal(existing.answer)) as StoredResponse }
  if (existing.status === COMMITTED && existing.isAbandoned) throw new AppError(appErrors.idempotencyKeySpent)
  throw new AppError(appErrors.idempotencyKeyRunning)
}

/** Returns a stored success; throws a stored failure. */
function replay(ctx: Context, stored: StoredResponse): unknown {
  if ('failure' in stored) {
    const { success: _success, errors, ...failure } = stored.failure
    const path = errors?.[0]?.path
    // The stored body is that of an error definition.
    throw new AppError({ ...failure, status: stored.status, ...(path !== undefined && { path }) } as ErrorDefinition)
  }
  if (stored.message !== undefined) ctx.message = stored.message
  return stored.data
}

const storeStatement = prepared('idempotency.store', (db) =>
  db
    .update(idempotencyKeys)
    .set({ status: sql`${sql.placeholder('status')}`, answer: sql`${sql.placeholder('answer')}` })
    .where(matchesClaim),
)
async function storeResponse(
  ctx: Context,
  db: Db,
  row: ClaimedRow,
  status: number,
  response: StoredResponse,
): Promise<void> {
  await storeStatement(db, { ...row, status, answer: ctx.deps.secret.seal(JSON.stringify(response)) })
}

const releaseStatement = prepared('idempotency.release', (db) =>
  db
    .delete(idempotencyKeys)
    .where(and(matchesClaim, sql`${idempotencyKeys.status} is null`))
    .returning({ key: idempotencyKeys.key }),
)
/** Deletes the row of a request without a committed effect. Returns false when the effect is committed. */
const releaseKey = async (db: Db, row: ClaimedRow): Promise<boolean> =>
  (await releaseStatement(db, { ...row })).length > 0

const markStatement = prepared('idempotency.mark', (db) =>
  db.update(idempotencyKeys).set({ status: COMMITTED }).where(matchesClaim).returning({ key: idempotencyKeys.key }),
)
/** The same database, whose transactions also mark the key as committed. They fail if another request has claimed it since. */
function withCommitMark(db: Db, row: ClaimedRow): Db {
  const marking: Db = Object.create(db)
  marking.transaction = (work, config) =>
    db.transaction(async (tx) => {
      const result = await work(tx)
      if ((await markStatement(tx, { ...row })).length === 0) throw new AppError(appErrors.idempotencyKeyRunning)
      return result
    }, config)
  return marking
}
