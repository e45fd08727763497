import { type contract, appErrors, type ParsedInput } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { type PasswordContext, setMessage, setSubject, type Context, type UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { limitWrongAttempts } from '../http/rate-limits.ts'
import type { UserRow } from '../users/account-queries.ts'
import { replacePasswordHash } from './account-commands.ts'
import { issueCodeId } from './code-ids.ts'
import { readDeviceCookie } from './device-cookie.ts'
import { findAccountByEmail } from './account-queries.ts'
import { limitAttempts, passwordFailureLimits } from './limit-attempts.ts'
import { findExpirationMinutes, mailCode } from './mail-code.ts'
import { completeSignIn } from './sign-in.ts'
import { isCodeRequired } from './sign-in-policy.ts'
import { assertActive, lockUser } from '../users/lock-user.ts'

type LoginRoute = typeof contract.auth.login

/** The account whose e-mail and password match; every failure throws the same error in the same time. */
async function verifyCredentials(
  ctx: Context & PasswordContext,
  { email, password }: ParsedInput<LoginRoute>,
): Promise<UserRow> {
  const user = await findAccountByEmail(ctx.db, email)
  setSubject(ctx, user?.id)
  const deviceId = readDeviceCookie(ctx, user)
  await limitAttempts(ctx, deviceId && `device:${deviceId}`)
  const failureLimits = passwordFailureLimits(ctx, email, deviceId)
  const compare = () => ctx.deps.passwords.verify(user?.passwordHash ?? null, password)
  const isCorrect = await limitWrongAttempts(ctx.db, failureLimits, compare)
  if (!isCorrect || !user) throw new AppError(appErrors.wrongCredentials)
  if (user.isBanned) throw new AppError(appErrors.banned)
  return user
}

/**
 * The hash that the password matches, rehashed if it uses outdated parameters. Null if the password was changed concurrently and no
 * longer matches.
 */
async function rehashIfOutdated(
  { db, deps }: Context & PasswordContext,
  user: UserRow,
  password: string,
): Promise<string | null> {
  const { id, email, passwordHash } = user
  if (passwordHash === null || !deps.passwords.needsRehash(passwordHash)) return passwordHash
  const newHash = await deps.passwords.hash(password)
  if (await inTransaction(db, (tx) => replacePasswordHash(tx, id, passwordHash, newHash))) return newHash
  const current = (await findAccountByEmail(db, email))?.passwordHash ?? null
  return (await deps.passwords.verify(current, password)) ? current : null
}

/** Locks the account. Throws if its password was changed or it was banned after the check, because the sign-in would outlive that change. */
async function lockIfUnchanged(tx: Tx, userId: string, hash: string | null): Promise<UserRow> {
  const user = await lockUser(tx, userId, 'share')
  if (hash === null || user?.passwordHash !== hash) throw new AppError(appErrors.wrongCredentials)
  return assertActive(user)
}

/** Signs in, or mails a code if the sign-in requires one. */
export const login: UseCase<typeof contract.auth.login> = async (ctx, input) => {
  const user = await verifyCredentials(ctx, input)
  const { id: userId, name, email, language } = user
  const hash = await rehashIfOutdated(ctx, user, input.password)
  if (!user.signInOtp && !isCodeRequired(ctx.deps, user))
    return completeSignIn(ctx, async (tx) => ({ userId, locked: await lockIfUnchanged(tx, userId, hash) }))
  const code = { purpose: 'sign-in', email, userId, isNewSignIn: true, language } as const
  const isMailed = await mailCode(ctx, code, (tx) => lockIfUnchanged(tx, userId, hash))
  const signInId = issueCodeId(ctx, 'sign-in', email)
  const expirationMinutes = await findExpirationMinutes(ctx, code, isMailed)
  setMessage(ctx, 'Verification Code Sent!')
  return { requiresOTP: true, email, name, expirationMinutes, signInId }
}
