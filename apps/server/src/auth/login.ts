import { type contract, faults, type Output, type Parsed } from '@community/contract'
import { inTransaction } from '@community/db'
import { users } from '@community/db/schema'
import { and, eq } from 'drizzle-orm'
import type { VisitorContext } from '../context.ts'
import { Refusal } from '../errors.ts'
import { attempting } from '../rate-limits.ts'
import type { UserRow } from '../users/views.ts'
import { findAccount } from './find-account.ts'
import { limitAttempts, wrongFromAddress, wrongPasswords } from './limit-attempts.ts'
import { EXPIRATION_MINUTES, mailCode } from './mail-code.ts'
import { signInTo } from './sign-in.ts'

type Login = typeof contract.auth.login

function needsCode({ deps }: VisitorContext, user: UserRow): boolean {
  if (deps.env.signInOtp === 'everyone') return true
  return user.signInOtp || (deps.env.signInOtp === 'admins' && user.role === 'admin')
}

/** Somebody whose e-mail and password are right; anything else is one refusal, in one time. */
async function proven(ctx: VisitorContext, { email, password }: Parsed<Login>): Promise<UserRow> {
  await limitAttempts(ctx)
  const user = await findAccount(ctx.db, email)
  const guards = [wrongFromAddress(ctx), ...wrongPasswords(ctx, email)]
  const compare = () => ctx.deps.passwords.verify(user?.passwordHash ?? null, password)
  const isRight = await attempting(ctx.db, guards, compare)
  if (!isRight || !user) throw new Refusal(faults.wrongCredentials)
  if (user.isBanned) throw new Refusal(faults.banned)
  return user
}

/** Keeps the password under today's parameters when it was hashed with older ones; a new password meanwhile stays. */
async function renewHash({ db, deps }: VisitorContext, { id, passwordHash }: UserRow, password: string): Promise<void> {
  if (passwordHash === null || !deps.passwords.needsRehash(passwordHash)) return
  const renewed = await deps.passwords.hash(password)
  await inTransaction(db, (tx) =>
    tx
      .update(users)
      .set({ passwordHash: renewed })
      .where(and(eq(users.id, id), eq(users.passwordHash, passwordHash))),
  )
}

/** Signs in, or mails the code that the sign-in still needs. */
export async function login(ctx: VisitorContext, input: Parsed<Login>): Promise<Output<Login>> {
  const user = await proven(ctx, input)
  await renewHash(ctx, user, input.password)
  if (!needsCode(ctx, user)) return signInTo(ctx, () => Promise.resolve({ userId: user.id }))
  const { id: userId, name, email, language } = user
  await mailCode(ctx, { purpose: 'sign-in', email, userId, isBegun: true, language })
  return { requiresOTP: true, email, name, expirationMinutes: EXPIRATION_MINUTES }
}
