import { limits } from '@community/contract'
import { type Reader, secondsUntil } from '@community/db'
import { codes } from '@community/db/schema'
import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm'

export type CodeRow = typeof codes.$inferSelect
export type CodePurpose = CodeRow['purpose']

export const codeCondition = (purpose: CodePurpose, email: string) =>
  and(eq(codes.purpose, purpose), eq(codes.email, email))

/** An unused code, for the browser with this cookie or, without a hash, for any. */
export interface CodeSelector {
  purpose: CodePurpose
  email: string
  bindingHash?: string
}
const unusedCondition = ({ purpose, email, bindingHash }: CodeSelector) =>
  and(
    codeCondition(purpose, email),
    isNull(codes.usedAt),
    bindingHash === undefined ? undefined : eq(codes.bindingHash, bindingHash),
  )
export const unexpiredCondition = (selector: CodeSelector) =>
  and(unusedCondition(selector), gt(codes.expiresAt, sql`now()`))

export async function findUnexpiredCode(db: Reader, selector: CodeSelector): Promise<CodeRow | undefined> {
  const [row] = await db.select().from(codes).where(unexpiredCondition(selector))
  return row
}

export async function hasExpiredCode(db: Reader, selector: CodeSelector): Promise<boolean> {
  const expiredCondition = and(unusedCondition(selector), lte(codes.expiresAt, sql`now()`))
  return (await db.select({ email: codes.email }).from(codes).where(expiredCondition)).length > 0
}

/** Seconds until another code may be mailed. */
export async function findCooldown(reader: Reader, purpose: CodePurpose, email: string): Promise<number> {
  const cooldownEnd = sql`(${codes.sentAt} + make_interval(secs => ${limits.CODE_COOLDOWN}))`
  const [row] = await reader
    .select({ seconds: secondsUntil(cooldownEnd) })
    .from(codes)
    .where(codeCondition(purpose, email))
  return row?.seconds ?? limits.CODE_COOLDOWN
}

/** Seconds until the code that was mailed last expires. */
export async function findSecondsToExpiry(reader: Reader, purpose: CodePurpose, email: string): Promise<number> {
  const [row] = await reader
    .select({ seconds: secondsUntil(codes.expiresAt, 0) })
    .from(codes)
    .where(codeCondition(purpose, email))
  return row?.seconds ?? 0
}

/** Whether the correct password was entered in the last `seconds`, and no code since. */
export async function hasPendingSignIn(reader: Reader, email: string, seconds: number): Promise<boolean> {
  const recent = gt(codes.begunAt, sql`now() - make_interval(secs => ${seconds})`)
  const rows = await reader
    .select({ email: codes.email })
    .from(codes)
    .where(and(codeCondition('sign-in', email), isNull(codes.usedAt), recent))
  return rows.length > 0
}
