import { appErrors, type contract } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { z } from 'zod'
import type { UserRow } from '../users/account-queries.ts'
import type { Context, Deps, UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { lockUser } from '../users/lock-user.ts'
import { createLinkToken, readLinkToken } from './link-token.ts'
import { maskEmail } from './mask-email.ts'
import { loadPreferences, savePreferences } from './preferences.ts'

const TokenContent = z.object({
  purpose: z.literal('preferences'),
  userId: z.uuid(),
  /** Must still be the account's address. */
  email: z.string(),
  expiresAt: z.number(),
})

/** The URL of the page that changes an account's preferences without sign-in. */
export function createPreferencesUrl(
  { config, secret }: Pick<Deps, 'config' | 'secret'>,
  { userId, email }: { userId: string; email: string },
  now = Date.now(),
): string {
  const token = createLinkToken(secret, { purpose: 'preferences', userId, email }, now)
  return `${config.appUrl}/#email-preferences-${token}`
}

/** Runs a function with the locked account of a link. Throws the same error whatever is wrong with the link. */
async function withLinkedUser<T>(
  { db, deps }: Context,
  token: string,
  lockStrength: Parameters<typeof lockUser>[2],
  run: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T> {
  const content = readLinkToken(deps.secret, TokenContent, token, Date.now())
  if (!content) throw new AppError(appErrors.preferencesLinkInvalid)
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, content.userId, lockStrength)
    if (!user || user.isBanned || user.email !== content.email) throw new AppError(appErrors.preferencesLinkInvalid)
    return run(tx, user)
  })
}

export const getLinkedPreferences: UseCase<typeof contract.notifications.linkedPreferences> = (ctx, { token }) =>
  withLinkedUser(ctx, token, 'share', async (tx, { id, email }) => ({
    ...(await loadPreferences(tx, id)),
    email: maskEmail(email),
  }))

export const setLinkedPreferences: UseCase<typeof contract.notifications.setLinkedPreferences> = (
  ctx,
  { token, ...changes },
) =>
  withLinkedUser(ctx, token, 'no key update', async (tx, { id, email }) => ({
    ...(await savePreferences(tx, id, changes)),
    email: maskEmail(email),
  }))
