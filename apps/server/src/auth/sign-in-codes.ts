import { type contract, appErrors, limits } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { findAttemptPool, clearCodeId } from './code-ids.ts'
import { checkCode, consumeCode } from './check-code.ts'
import { decoyEmail } from './codes.ts'
import { findAccountByEmail } from './account-queries.ts'
import { findCooldown, hasPendingSignIn } from './code-queries.ts'
import { limitAttempts } from './limit-attempts.ts'
import { EXPIRATION_MINUTES, limitMailRequests, mailCode } from './mail-code.ts'
import { completeSignIn } from './sign-in.ts'

/** Mails a new sign-in code. Without a pending sign-in the response is the same and nothing is mailed. */
export const sendOtp: UseCase<typeof contract.auth.sendOtp> = async (ctx, { email }) => {
  await limitMailRequests(ctx)
  const isPending = await hasPendingSignIn(ctx.db, email, limits.PENDING_SIGN_IN_TTL)
  const account = isPending ? await findAccountByEmail(ctx.db, email) : undefined
  const key = account ? email : decoyEmail(email)
  const isMailed = await mailCode(ctx, {
    purpose: 'sign-in',
    email: key,
    ...(account ? { userId: account.id, language: account.language } : { instead: null }),
  })
  if (!isMailed) throw new AppError(appErrors.codeTooSoon, { cooldown: await findCooldown(ctx.db, 'sign-in', key) })
  return { expirationMinutes: EXPIRATION_MINUTES }
}

export const verifyOtp: UseCase<typeof contract.auth.verifyOtp> = async (ctx, { email, otp, signInId }) => {
  const owner = await findAccountByEmail(ctx.db, email)
  const pool = findAttemptPool(ctx, { purpose: 'sign-in', email, id: signInId, owner })
  await limitAttempts(ctx, pool?.name)
  const isPending = await hasPendingSignIn(ctx.db, email, limits.SIGN_IN_TTL)
  const key = isPending ? email : decoyEmail(email)
  const code = await checkCode(ctx, { purpose: 'sign-in', email: key, otp, pool })
  const { userId } = code
  if (userId === null) throw new AppError(appErrors.codeInvalid)
  const result = await completeSignIn(ctx, async (tx) => {
    await consumeCode(tx, code)
    return { userId }
  })
  clearCodeId(ctx, 'sign-in')
  return result
}
