import { limits } from '@community/contract'
import type { Db, Tx } from '@community/db'
import { codes, users } from '@community/db/schema'
import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { type CodeRow, codeCondition, type CodeSelector, unexpiredCondition } from './code-queries.ts'

const cooldownElapsed = sql`${codes.usedAt} is not null or ${codes.sentAt} <= now() - make_interval(secs => ${limits.CODE_COOLDOWN})`

interface NewCode extends Pick<CodeRow, 'purpose' | 'email' | 'userId' | 'hash'> {
  /** The correct password was just entered. */
  isNewSignIn: boolean
  /** The browser and identity of an external sign-in. */
  binding?: { hash: string; identity: CodeRow['identity'] } | undefined
}

/**
 * Replaces the code of an email and purpose. False while the cooldown runs: the existing code stays valid. A single statement decides,
 * so that concurrent requests create one code.
 */
export async function replaceCode(tx: Tx, code: NewCode): Promise<boolean> {
  const { purpose, email, userId, hash, isNewSignIn, binding } = code
  const values = {
    userId,
    hash,
    attempts: 0,
    sentAt: sql`now()`,
    expiresAt: sql`now() + make_interval(secs => ${limits.CODE_TTL})`,
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
  return issued !== undefined
}

/** Assigns the existing code to the newest sign-in, and to the browser that returned last. */
export async function reassignCode(
  tx: Tx,
  { purpose, email, isNewSignIn, binding }: Pick<NewCode, 'purpose' | 'email' | 'isNewSignIn' | 'binding'>,
): Promise<void> {
  const update = {
    ...(isNewSignIn && { begunAt: sql`now()` }),
    ...(binding && { bindingHash: binding.hash, identity: binding.identity }),
  }
  if (isNewSignIn || binding) await tx.update(codes).set(update).where(codeCondition(purpose, email))
}

/** Counts an attempt at an unexpired code that has attempts left. Not in a transaction: a rollback would give it back. */
export async function countCodeAttempt(db: Db, selector: CodeSelector): Promise<CodeRow | undefined> {
  const [row] = await db
    .update(codes)
    .set({ attempts: sql`${codes.attempts} + 1` })
    .where(and(unexpiredCondition(selector), lt(codes.attempts, limits.CODE_ATTEMPTS_MAX)))
    .returning()
  return row
}

/** Gives back a counted attempt, unless another code has replaced this one. */
export async function releaseCodeAttempt(db: Db, { purpose, email, hash }: CodeRow): Promise<void> {
  await db
    .update(codes)
    .set({ attempts: sql`${codes.attempts} - 1` })
    .where(and(codeCondition(purpose, email), eq(codes.hash, hash), gt(codes.attempts, 0)))
}

/** Marks a code as used; false if it is used or replaced. */
export async function markCodeUsed(tx: Tx, { purpose, email, hash }: CodeRow): Promise<boolean> {
  const used = await tx
    .update(codes)
    .set({ usedAt: sql`now()` })
    .where(and(codeCondition(purpose, email), eq(codes.hash, hash), isNull(codes.usedAt)))
    .returning({ email: codes.email })
  return used.length > 0
}

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
