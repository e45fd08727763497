import { limits, type NotificationKindName, notificationKindOf, NOTIFICATION_KIND_NAMES } from '@community/contract'
import { z } from 'zod'
import type { Deps } from '../context.ts'

const TTL_MS = 30 * 24 * 60 * 60 * 1000
const Content = z.object({
  purpose: z.literal('unsubscribe'),
  userId: z.uuid(),
  kinds: z.array(z.enum(NOTIFICATION_KIND_NAMES)).min(1),
  expiresAt: z.number(),
})

/** A token that stops the mails of some kinds for one account, and does nothing else. */
export const createUnsubscribeToken = (
  { secret }: Pick<Deps, 'secret'>,
  userId: string,
  kinds: NotificationKindName[],
  now = Date.now(),
): string => secret.seal(JSON.stringify({ purpose: 'unsubscribe', userId, kinds, expiresAt: now + TTL_MS }))

/** The page that stops the mails of some kinds for one account, for `List-Unsubscribe` and the mail's text. */
export const createUnsubscribeUrl = (
  { config, secret }: Pick<Deps, 'config' | 'secret'>,
  userId: string,
  kinds: NotificationKindName[],
): string => `${config.appUrl}/email-preferences/unsubscribe?token=${createUnsubscribeToken({ secret }, userId, kinds)}`

/** The account and the kinds of mail that a token stops; null if it is forged or expired, or if one of its kinds is always mailed. */
export function readUnsubscribeToken({ secret }: Pick<Deps, 'secret'>, token: unknown, now = Date.now()) {
  if (typeof token !== 'string' || token.length > limits.LINK_TOKEN_LENGTH_MAX) return null
  try {
    const { userId, kinds, expiresAt } = Content.parse(JSON.parse(secret.unseal(token)))
    const canStop = kinds.every((kind) => !notificationKindOf(kind).isSafety)
    return expiresAt > now && canStop ? { userId, kinds } : null
  } catch {
    return null
  }
}
