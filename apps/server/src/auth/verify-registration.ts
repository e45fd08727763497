import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { assertNotBlacklisted, insertAccount } from './account-commands.ts'
import { findAttemptPool, clearCodeId } from './code-ids.ts'
import { checkCode, consumeCode } from './check-code.ts'
import { assertNotCommonPassword } from './common-passwords.ts'
import { limitAttempts } from './limit-attempts.ts'
import { completeSignIn } from './sign-in.ts'

/** Creates the account from this request's fields and signs in. */
export const verifyRegistration: UseCase<typeof contract.auth.verifyRegistrationOtp> = async (ctx, input) => {
  const { name, email, password, otp, registrationId } = input
  assertNotCommonPassword(ctx.deps.config, password)
  const pool = findAttemptPool(ctx, { purpose: 'registration', email, id: registrationId })
  await limitAttempts(ctx, pool?.name)
  const code = await checkCode(ctx, { purpose: 'registration', email, otp, pool })
  const passwordHash = await ctx.deps.passwords.hash(password)
  const result = await completeSignIn(ctx, async (tx) => {
    await consumeCode(tx, code)
    await assertNotBlacklisted(tx, email)
    const { id: userId } = await insertAccount(tx, { name, email, passwordHash, language: ctx.request.language })
    return { userId, isNewAccount: true }
  })
  clearCodeId(ctx, 'registration')
  return result
}
