import { appErrors, limits } from '@community/contract'
import type { Db, Tx } from '@community/db'
import { type Context, setSubject } from '../context.ts'
import { AppError } from '../errors.ts'
import {
  type AttemptLimit,
  limitWrongAttempts,
  releaseSlot,
  type KeyedLimit,
  consumeRateLimits,
  tryConsumeRateLimit,
} from '../http/rate-limits.ts'
import type { AttemptPool } from './code-ids.ts'
import { countCodeAttempt, markCodeUsed, releaseCodeAttempt } from './code-commands.ts'
import { type CodePurpose, type CodeRow, findUnexpiredCode, hasExpiredCode } from './code-queries.ts'
import { ipFailureLimits, ipFailureLimitsForCodeId } from './limit-attempts.ts'
import { equalsInConstantTime } from './secret.ts'
import { resumeMails } from '../notifications/bounce-commands.ts'

/** A code as somebody entered it. */
interface EnteredCode {
  purpose: CodePurpose
  email: string
  otp: string
  /** The hash of the browser's cookie; a code requested by another browser is treated as missing. */
  bindingHash?: string
  /** The caller's own pool of attempts, separate from the one shared by everyone who knows the email. */
  pool?: AttemptPool | undefined
}

/** An attempt that is taken before the comparison, so that concurrent guesses cannot exceed the limit; a correct code gives it back. */
interface ReservedAttempt {
  row: CodeRow
  release(): Promise<void>
}

/** Reserves one of a code's five attempts, from the caller's own pool or from the shared one. */
async function reserveAttempt(db: Db, entered: EnteredCode): Promise<ReservedAttempt | null> {
  const { purpose, email, pool } = entered
  if (pool) {
    const row = await findUnexpiredCode(db, entered)
    if (!row) return null
    const key = `code-attempts:${purpose}:${email}:${pool.name}:${row.sentAt.getTime()}`
    const { isConsumed } = await tryConsumeRateLimit(db, key, {
      max: limits.CODE_ATTEMPTS_MAX,
      seconds: limits.CODE_TTL,
    })
    return isConsumed ? { row, release: () => releaseSlot(db, key) } : null
  }
  const row = await countCodeAttempt(db, entered)
  return row ? { row, release: () => releaseCodeAttempt(db, row) } : null
}

/** Wrong codes per day, over all codes of an email and purpose. */
function dailyFailureLimits({ purpose, email, pool }: EnteredCode): KeyedLimit[] {
  const key = `code-failures:${purpose}:${email}`
  if (!pool) return [{ key, max: limits.CODE_FAILURES_PER_DAY, seconds: limits.DAY }]
  return pool.failures.map(({ name, max }) => ({ key: `${key}:${name}`, max, seconds: limits.DAY }))
}

/**
 * Compares an entered code. Reserves an attempt first and releases it if the code is correct, so that only wrong codes count. Null if it
 * is wrong or unknown; throws `codeExpired`, `codeLocked`.
 */
async function compareCode(ctx: Context, entered: EnteredCode): Promise<CodeRow | null> {
  const { db, deps } = ctx
  const { purpose, email, otp } = entered
  const attempt = await reserveAttempt(db, entered)
  if (!attempt) {
    if (await hasExpiredCode(db, entered)) throw new AppError(appErrors.codeExpired)
    return null
  }
  setSubject(ctx, attempt.row.userId)
  const failures = dailyFailureLimits(entered)
  await consumeRateLimits(db, failures, appErrors.codeLocked)
  if (!equalsInConstantTime(attempt.row.hash, deps.secret.hmac('code', purpose, email, otp))) return null
  for (const { key } of failures) await releaseSlot(db, key)
  await attempt.release()
  return attempt.row
}

/**
 * The limits on wrong codes of the caller's IP address. None if `bindingHash` ties the code to the caller's browser, or the pool is trusted:
 * such a caller cannot try the codes of other accounts.
 */
function ipLimits(ctx: Context, { pool, bindingHash }: EnteredCode): AttemptLimit[] {
  if (bindingHash !== undefined || pool?.isTrusted) return []
  return pool ? ipFailureLimitsForCodeId(ctx) : ipFailureLimits(ctx)
}

/** The row of a code that was entered correctly, for `consumeCode`; throws otherwise. */
export async function checkCode(ctx: Context, entered: EnteredCode): Promise<CodeRow> {
  const row = await limitWrongAttempts(ctx.db, ipLimits(ctx, entered), () => compareCode(ctx, entered))
  if (!row) throw new AppError(appErrors.codeInvalid)
  return row
}

/** Marks a checked code as used, in the transaction of the action it allows. Of several concurrent callers one succeeds. */
export async function consumeCode(tx: Tx, code: CodeRow): Promise<void> {
  if (!(await markCodeUsed(tx, code))) throw new AppError(appErrors.codeInvalid)
  // The mailed code was received, so the address works again.
  if (code.userId !== null) await resumeMails(tx, code.userId)
}
