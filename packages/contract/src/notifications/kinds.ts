import type { z } from 'zod'
import { ACCOUNT_KINDS } from './account-kinds.ts'
import { CHALLENGE_KINDS } from './challenge-kinds.ts'
import type { NotificationKind, NotificationRecipients } from './kind.ts'
import { SUBMISSION_KINDS } from './submission-kinds.ts'
import { TEAM_KINDS } from './team-kinds.ts'

/** Every kind of notification. */
export const NOTIFICATION_KINDS = { ...TEAM_KINDS, ...SUBMISSION_KINDS, ...CHALLENGE_KINDS, ...ACCOUNT_KINDS }

export type NotificationKindName = keyof typeof NOTIFICATION_KINDS
export type NotificationParams<N extends NotificationKindName> = z.output<(typeof NOTIFICATION_KINDS)[N]['params']>
/** The kinds that notify such recipients. */
export type NotificationKindFor<R extends NotificationRecipients> = {
  [N in NotificationKindName]: (typeof NOTIFICATION_KINDS)[N]['recipients'] extends R ? N : never
}[NotificationKindName]

export const NOTIFICATION_KIND_NAMES = Object.keys(NOTIFICATION_KINDS) as [
  NotificationKindName,
  ...NotificationKindName[],
]

/** A kind without the types of its own parameters. */
export const notificationKindOf = (name: NotificationKindName): NotificationKind => NOTIFICATION_KINDS[name]
