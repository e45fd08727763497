import { type contract, appErrors, type Language, type Output, type ParsedInput } from '@community/contract'
import type { Tx } from '@community/db'
import { identities, users } from '@community/db/schema'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { accountSearchText } from '../search/search-text.ts'
import { isBlacklisted } from './blacklist.ts'
import { checkCode, consumeCode } from './check-code.ts'
import type { CodeRow } from './codes.ts'
import { bindingCookieName } from './external-sign-in.ts'
import { findAccount } from './find-account.ts'
import { limitAttempts } from './limit-attempts.ts'
import { hashToken } from './session-adapter.ts'
import { type AuthenticatedAccount, completeSignIn } from './sign-in.ts'

type VerifyGoogleOtpRoute = typeof contract.auth.verifyGoogleOtp
type Identity = NonNullable<CodeRow['identity']>

/** Completes an external sign-in with its mailed code, in the browser that started it. Links or creates the account. */
export async function verifyGoogleOtp(
  ctx: Context,
  { email, otp }: ParsedInput<VerifyGoogleOtpRoute>,
): Promise<Output<VerifyGoogleOtpRoute>> {
  await limitAttempts(ctx)
  const cookie = bindingCookieName(ctx.deps.config)
  const bindingToken = ctx.request.cookie(cookie)
  // Another browser must not learn whether there is a code, nor use up its attempts.
  if (!bindingToken) throw new AppError(appErrors.codeInvalid)
  const code = await checkCode(ctx, { purpose: 'external', email, otp, bindingHash: hashToken(bindingToken) })
  const { identity } = code
  if (!identity) throw new AppError(appErrors.codeInvalid)
  if (await isBlacklisted(ctx.db, email)) throw new AppError(appErrors.emailRefused)
  const result = await completeSignIn(ctx, async (tx) => {
    await consumeCode(tx, code)
    return findOrCreateAccount(tx, email, identity, ctx.request.language)
  })
  ctx.request.clearCookie(cookie)
  return result
}

/** The account linked to the identity, else the one with its verified email, else a new one. */
async function findOrCreateAccount(
  tx: Tx,
  email: string,
  { issuer, subject, name }: Identity,
  language: Language,
): Promise<AuthenticatedAccount> {
  const identityFilter = and(eq(identities.issuer, issuer), eq(identities.subject, subject))
  const [linked] = await tx.select({ userId: identities.userId }).from(identities).where(identityFilter)
  if (linked) return linked
  const existing = await findAccount(tx, email)
  const created = existing ? undefined : await createAccount(tx, email, name, language)
  // Another request may have registered the email at the same time.
  const account = existing ?? created ?? (await findAccount(tx, email))
  if (!account) throw new AppError(appErrors.emailTaken)
  const userId = account.id
  await tx.insert(identities).values({ issuer, subject, userId }).onConflictDoNothing()
  return { userId, isNewAccount: created !== undefined }
}

async function createAccount(tx: Tx, email: string, name: string, language: Language) {
  const [account] = await tx
    .insert(users)
    .values({ name, email, language, searchText: accountSearchText(name, email) })
    .onConflictDoNothing()
    .returning({ id: users.id })
  return account
}
