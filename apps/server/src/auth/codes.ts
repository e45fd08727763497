import { randomInt } from 'node:crypto'
import { limits } from '@community/contract'
import type { Db, Tx } from '@community/db'
import { codes, users } from '@community/db/schema'
import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'

export type CodePurpose = (typeof codes.$inferSelect)['purpose']

/** Also describes codes that are not mailed (`decoyEmail`), so that they behave like the others. */
export interface CodeRequest {
  purpose: CodePurpose
  email: string
  userId?: string | null
  /** The correct password was just entered. */
  isNewSignIn?: boolean
  binding?: { hash: string; identity: { issuer: string; subject: string; name: string } }
}

/** The key for a sign-in that nobody started, so that its row does not affect a real sign-in with the email. */
export const decoyEmail = (email: string): string => ` ${email}`

const cooldownElapsed = sql`${codes.usedAt} is not null or ${codes.sentAt} <= now() - make_interval(secs => ${limits.OTP_COOLDOWN})`

/**
 * Replaces the code of an email and purpose. Null while the cooldown runs: the existing code stays valid. A single statement decides,
 * so that concurrent requests create one code.
 */
export async function issueCode(
  tx: Tx,
  { secret }: Pick<Deps, 'secret'>,
  request: CodeRequest,
): Promise<string | null> {
  const { purpose, email, userId = null, isNewSignIn = false, binding } = request
  const code = String(randomInt(0, 10 ** limits.OTP_DIGITS)).padStart(limits.OTP_DIGITS, '0')
  const values = {
    userId,
    hash: secret.hmac('code', purpose, email, code),
    attempts: 0,
    sentAt: sql`now()`,
    expiresAt: sql`now() + make_interval(secs => ${limits.OTP_TTL})`,
    usedAt: null,
    begunAt: isNewSignIn ? sql`now()` : sql`null`,
    bindingHash: binding?.hash ?? null,
    identity: binding?.identity ?? null,
  }
  const [issued] = await tx
    .insert(codes)
    .values({ purpose, email, ...values })
    .onConflictDoUpdate({
      target: [codes.purpose, codes.email],
      // A resend does not change when the sign-in was started.
      set: isNewSignIn
        ? values
        : {
            ...values,
            begunAt: codes.begunAt,
            ...(binding ? {} : { bindingHash: codes.bindingHash, identity: codes.identity }),
          },
      setWhere: cooldownElapsed,
    })
    .returning({ email: codes.email })
  if (issued) return code
  // The existing code now belongs to the newest sign-in and to the browser that returned last.
  const update = {
    ...(isNewSignIn && { begunAt: sql`now()` }),
    ...(binding && { bindingHash: binding.hash, identity: binding.identity }),
  }
  if (isNewSignIn || binding) await tx.update(codes).set(update).where(codeCondition(purpose, email))
  return null
}

export const codeCondition = (purpose: CodePurpose, email: string) =>
  and(eq(codes.purpose, purpose), eq(codes.email, email))

/** Seconds until another code may be mailed. */
export async function findCooldown(reader: Db | Tx, purpose: CodePurpose, email: string): Promise<number> {
  const [row] = await reader
    .select({
      seconds: sql<number>`greatest(1, ceil(extract(epoch from ${codes.sentAt} + make_interval(secs => ${limits.OTP_COOLDOWN}) - now())))::int`,
    })
    .from(codes)
    .where(codeCondition(purpose, email))
  return row?.seconds ?? limits.OTP_COOLDOWN
}

/** Was the correct password entered in the last ten minutes? */
export async function hasPendingSignIn(reader: Db | Tx, email: string): Promise<boolean> {
  const recent = gt(codes.begunAt, sql`now() - make_interval(secs => ${limits.PENDING_SIGN_IN_TTL})`)
  const rows = await reader
    .select({ email: codes.email })
    .from(codes)
    .where(and(codeCondition('sign-in', email), isNull(codes.usedAt), recent))
  return rows.length > 0
}

export type CodeRow = typeof codes.$inferSelect

/**
 * Invalidates an account's codes after a password change. The row of a reset stays, so that strangers who request one still see the
 * cooldown, attempts and expiry continue.
 */
export async function invalidateCodes(tx: Tx, email: string): Promise<void> {
  await tx.update(codes).set({ hash: '' }).where(codeCondition('reset', email))
  await tx.delete(codes).where(and(eq(codes.email, email), inArray(codes.purpose, ['sign-in', 'external'])))
}

/** Deletes all codes of an account and of its email. Call it before locking the account: sign-ins lock in this order. */
export async function deleteUserCodes(tx: Tx, userId: string): Promise<void> {
  const email = tx.select({ email: users.email }).from(users).where(eq(users.id, userId))
  await tx.delete(codes).where(or(eq(codes.userId, userId), inArray(codes.email, email)))
}
