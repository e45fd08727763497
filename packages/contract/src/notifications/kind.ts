import { z } from 'zod'
import type { Language } from '../users/schemas.ts'

/** When a notification is mailed. */
export const MAIL_FREQUENCIES = ['instant', 'daily', 'weekly', 'off'] as const
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number]

/** Why somebody is notified. */
export const NOTIFICATION_REASONS = [
  'member',
  'chef',
  'account',
  'security',
  'challenge',
  'reminder',
  'announcement',
] as const
type NotificationReason = (typeof NOTIFICATION_REASONS)[number]

/** Who is notified: a team's current members, one person, or an audience in batches. */
export type NotificationRecipients = 'team' | 'person' | 'audience'

/** Where notifications of a kind are sent. */
export interface Channels {
  app: boolean
  mail: MailFrequency
  push: boolean
}

type Texts = Record<Language, string>

export interface NotificationKind<P extends z.ZodObject = z.ZodObject> {
  reason: NotificationReason
  recipients: NotificationRecipients
  /** The stored values that texts and the link use. */
  params: P
  /** The title line: in the second person, `{name}` for a parameter. No word may depend on a number. */
  text: Texts
  /** The text of a push message: nothing private, because it passes a push service and is shown on locked screens. */
  summary: Texts
  /** Translations of an enum parameter's values. */
  valueTexts?: { [N in keyof z.output<P> & string]?: Record<string, Texts> }
  /** Translations to use where a parameter is null. */
  nullTexts?: { [N in keyof z.output<P> & string]?: Texts }
  /** Parameters that are timestamps: formatted in the reader's time zone. */
  times?: readonly (keyof z.output<P> & string)[]
  /** The parameter that a person wrote, shown below the title. */
  detail?: keyof z.output<P> & string
  /** The hash of the place in the web app that it leads to. */
  href(params: z.output<P>): string
  /** Used for everybody without a preference. A kind whose `mail` is off is never mailed. */
  channels: Channels
  /** Concerns the account’s security: always mailed at once, regardless of preferences. */
  isSafety: boolean
  /** The event already sends a more detailed mail, so this kind sends none. */
  hasOwnMail?: boolean
}

/** Checks a kind’s texts and address against its parameters. */
export const defineKind = <P extends z.ZodObject, R extends NotificationRecipients>(
  kind: NotificationKind<P> & { recipients: R },
): NotificationKind<P> & { recipients: R } => kind

/** Characters that a notification quotes from what a person wrote. */
export const EXCERPT_LENGTH_MAX = 500

const Name = z.string()
export const TeamParams = z.object({ team: Name, teamId: z.uuid() })
export const ChallengeParams = z.object({ challenge: Name, challengeId: z.uuid() })
export const dashboardHash = (): string => '#dashboard'
export const challengeHash = ({ challengeId }: { challengeId: string }): string => `#challenge-${challengeId}`
