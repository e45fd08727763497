import { type NotificationKindName, notificationKindOf, NOTIFICATION_KIND_NAMES } from '@community/contract'
import { z } from 'zod'
import type { Deps } from '../context.ts'
import { createLinkToken, readLinkToken } from './link-token.ts'

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
): string => createLinkToken(secret, { purpose: 'unsubscribe', userId, kinds }, now)

/** The page that stops the mails of some kinds for one account, for `List-Unsubscribe` and the mail's text. */
export const createUnsubscribeUrl = (
  { config, secret }: Pick<Deps, 'config' | 'secret'>,
  userId: string,
  kinds: NotificationKindName[],
): string => `${config.appUrl}/email-preferences/unsubscribe?token=${createUnsubscribeToken({ secret }, userId, kinds)}`

/** The account and the kinds of mail that a token stops; null if it is forged or expired, or if one of its kinds is always mailed. */
export function readUnsubscribeToken({ secret }: Pick<Deps, 'secret'>, token: unknown, now = Date.now()) {
  const content = typeof token === 'string' ? readLinkToken(secret, Content, token, now) : null
  const canStop = content?.kinds.every((kind) => !notificationKindOf(kind).isSafety)
  return content && canStop ? { userId: content.userId, kinds: content.kinds } : null
}
