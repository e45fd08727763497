import { type NotificationKindName, notificationKindOf, NOTIFICATION_KIND_NAMES } from '@community/contract'
import { z } from 'zod'
import type { Deps } from '../context.ts'

const TTL_MS = 30 * 24 * 60 * 60 * 1000
const TOKEN_LENGTH_MAX = 1000
const Content = z.object({
  purpose: z.literal('unsubscribe'),
  userId: z.uuid(),
  kind: z.enum(NOTIFICATION_KIND_NAMES),
  expiresAt: z.number(),
})

/** A token that stops the mails of one kind for one account, and does nothing else. */
export const createUnsubscribeToken = (
  { secret }: Pick<Deps, 'secret'>,
  userId: string,
  kind: NotificationKindName,
  now = Date.now(),
): string => secret.seal(JSON.stringify({ purpose: 'unsubscribe', userId, kind, expiresAt: now + TTL_MS }))

/** What a token stops; null if it is forged or expired, or if its kind is always mailed. */
export function readUnsubscribeToken({ secret }: Pick<Deps, 'secret'>, token: unknown, now = Date.now()) {
  if (typeof token !== 'string' || token.length > TOKEN_LENGTH_MAX) return null
  try {
    const { userId, kind, expiresAt } = Content.parse(JSON.parse(secret.unseal(token)))
    return expiresAt > now && !notificationKindOf(kind).isSafety ? { userId, kind } : null
  } catch {
    return null
  }
}
