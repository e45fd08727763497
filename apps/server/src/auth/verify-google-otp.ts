import { type contract, appErrors, type Language } from '@community/contract'
import type { Tx } from '@community/db'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { assertNotBlacklisted, insertAccountIfAbsent, linkIdentity } from './account-commands.ts'
import { findLinkedAccount, findAccountByEmail } from './account-queries.ts'
import type { CodeRow } from './code-queries.ts'
import { hashToken } from './hash-token.ts'
import { checkCode, consumeCode } from './check-code.ts'
import { bindingCookieName } from './external-sign-in.ts'
import { limitAttempts } from './limit-attempts.ts'
import { type AuthenticatedAccount, completeSignIn } from './sign-in.ts'

type Identity = NonNullable<CodeRow['identity']>

/** Completes an external sign-in with its mailed code, in the browser that started it. Links or creates the account. */
export const verifyGoogleOtp: UseCase<typeof contract.auth.verifyGoogleOtp> = async (ctx, { email, otp }) => {
  await limitAttempts(ctx)
  const cookie = bindingCookieName(ctx.deps.config)
  const bindingToken = ctx.request.cookie(cookie)
  // Another browser must not learn whether there is a code, nor use up its attempts.
  if (!bindingToken) throw new AppError(appErrors.codeInvalid)
  const code = await checkCode(ctx, { purpose: 'external', email, otp, bindingHash: hashToken(bindingToken) })
  const { identity } = code
  if (!identity) throw new AppError(appErrors.codeInvalid)
  const result = await completeSignIn(ctx, async (tx) => {
    await consumeCode(tx, code)
    return findOrCreateAccount(tx, email, identity, ctx.request.language)
  })
  ctx.request.clearCookie(cookie)
  return result
}

/** The account linked to the identity, else the one with its verified email, else a new one, unless the email is blacklisted. */
async function findOrCreateAccount(
  tx: Tx,
  email: string,
  { issuer, subject, name }: Identity,
  language: Language,
): Promise<AuthenticatedAccount> {
  const linked = await findLinkedAccount(tx, { issuer, subject })
  // Linked since the code was mailed: the code proves another mailbox than the account's.
  if (linked && linked.email !== email) throw new AppError(appErrors.codeInvalid)
  if (linked) return { userId: linked.id }
  const existing = await findAccountByEmail(tx, email)
  if (!existing) await assertNotBlacklisted(tx, email)
  const created = existing ? undefined : await insertAccountIfAbsent(tx, { email, name, language })
  // Another request may have registered the email at the same time.
  const account = existing ?? created ?? (await findAccountByEmail(tx, email))
  if (!account) throw new AppError(appErrors.emailTaken)
  const userId = account.id
  await linkIdentity(tx, { issuer, subject, userId })
  return { userId, isNewAccount: created !== undefined }
}
