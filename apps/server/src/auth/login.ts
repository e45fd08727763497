import { type contract, faults, limits, type Output, type Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import { users } from '@community/db/schema'
import { eq } from 'drizzle-orm'
import type { VisitorContext } from '../context.ts'
import { Refusal } from '../errors.ts'
import { attempting } from '../rate-limits.ts'
import type { UserRow } from '../users/views.ts'
import { findAccount } from './find-account.ts'
import { limitAttempts } from './limit-attempts.ts'
import { EXPIRATION_MINUTES, mailCode } from './mail-code.ts'
import { openSession } from './sessions.ts'

type Login = typeof contract.auth.login

const LIMIT = { max: limits.SIGN_IN_TRIES, seconds: limits.SIGN_IN_WINDOW }

function needsCode({ deps }: VisitorContext, user: UserRow): boolean {
  if (deps.env.signInOtp === 'everyone') return true
  return user.signInOtp || (deps.env.signInOtp === 'admins' && user.role === 'admin')
}

/** Somebody whose e-mail and password are right; anything else is one refusal, in one time. */
async function proven(ctx: VisitorContext, { email, password }: Parsed<Login>): Promise<UserRow> {
  await limitAttempts(ctx)
  const user = await findAccount(ctx.db, email)
  const compare = () => ctx.deps.passwords.verify(user?.passwordHash ?? null, password)
  const isRight = await attempting(ctx.db, `sign-in:${email}`, LIMIT, faults.signInLocked, compare)
  if (!isRight || !user) throw new Refusal(faults.wrongCredentials)
  if (user.isBanned) throw new Refusal(faults.banned)
  return user
}

/** Signs in, or mails the code that the sign-in still needs. */
export async function login(ctx: VisitorContext, input: Parsed<Login>): Promise<Output<Login>> {
  const user = await proven(ctx, input)
  const { passwords } = ctx.deps
  const renewed =
    user.passwordHash !== null && passwords.needsRehash(user.passwordHash) ? await passwords.hash(input.password) : null
  if (needsCode(ctx, user)) {
    await mailCode(ctx, {
      purpose: 'sign-in',
      email: user.email,
      userId: user.id,
      isBegun: true,
      language: user.language,
    })
    return { requiresOTP: true, email: user.email, name: user.name, expirationMinutes: EXPIRATION_MINUTES }
  }
  return inTransaction(ctx.db, async (tx) => {
    if (renewed !== null) await tx.update(users).set({ passwordHash: renewed }).where(eq(users.id, user.id))
    return openSession(tx, user.id, ctx.request)
  })
}
