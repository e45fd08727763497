import { z } from 'zod'
import { limitText } from '../registered-messages.ts'
import { NOTIFICATION_PAGE_SIZE, NOTIFICATIONS_READ_MAX, UNREAD_COUNT_MAX } from '../limits.ts'
import { Count, cursorPage, Id, ids, TimeInput, Timestamp } from '../primitives.ts'
import { MAIL_FREQUENCIES, NOTIFICATION_REASONS } from './kind.ts'
import { NOTIFICATION_KIND_NAMES, notificationKindOf } from './kinds.ts'

const KindName = z.enum(NOTIFICATION_KIND_NAMES, 'Unknown kind of notification')

export const Notification = z
  .object({
    ...ids,
    kind: KindName,
    reason: z.enum(NOTIFICATION_REASONS).describe('Why the caller gets it'),
    params: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe('What the text is made of, such as the team’s name at that time'),
    text: z.string().describe('A sentence in the language of `Accept-Language`, else the account’s'),
    detail: z
      .string()
      .nullable()
      .describe('What a person wrote: feedback, a warning’s reason, an announcement’s Markdown'),
    href: z.string().describe('The hash of the place in the web app that it leads to'),
    teamId: z.uuid().nullable(),
    challengeId: z.uuid().nullable(),
    submissionId: z.uuid().nullable(),
    createdAt: Timestamp,
    readAt: Timestamp.nullable(),
  })
  .meta({ id: 'Notification' })
export type Notification = z.output<typeof Notification>

export const Unread = Count.max(UNREAD_COUNT_MAX).describe(
  `The caller’s unread notifications, counted up to ${UNREAD_COUNT_MAX}`,
)

export const NotificationListInput = z.object({
  ...cursorPage(NOTIFICATION_PAGE_SIZE),
  unread: z.boolean().optional().describe('Only unread ones, or only read ones'),
})

const IDS_OR_UNTIL = 'Send either ids or until'
export const ReadNotificationsInput = z
  .object({
    ids: z
      .array(Id)
      .min(1, 'Choose at least one notification')
      .max(NOTIFICATIONS_READ_MAX, limitText('At most {n} notifications', NOTIFICATIONS_READ_MAX))
      .optional()
      .describe('The notifications to mark; required without `until`'),
    until: Id.optional().describe('In place of `ids`: marks this one and all older ones'),
    isRead: z.boolean().default(true).describe('False marks them as unread again'),
    readAt: TimeInput.optional().describe(
      'With `isRead: false`: only those that were marked at that time, to undo one call',
    ),
  })
  .refine(({ ids: some, until }) => (some === undefined) !== (until === undefined), {
    path: ['ids'],
    error: IDS_OR_UNTIL,
  })
  .meta({ example: { ids: ['0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'] } })

const Mail = z.enum(MAIL_FREQUENCIES).describe('At once, in a daily or weekly digest, or not at all')
const Channels = { app: z.boolean(), mail: Mail, push: z.boolean() }

export const NotificationPreference = z
  .object({ kind: KindName, ...Channels, isSafety: z.boolean().describe('Always mailed at once') })
  .meta({ id: 'NotificationPreference' })
export type NotificationPreference = z.output<typeof NotificationPreference>

/** Whether this runtime knows the time zone. A stored one may come from a runtime with newer time zone data. */
export const isTimeZone = (name: string): boolean => {
  try {
    // Offsets such as +01:00 are no names.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}
const WRONG_TIME_ZONE = 'Unknown time zone'
const TimeZone = z
  .string(WRONG_TIME_ZONE)
  .max(64, { error: WRONG_TIME_ZONE, abort: true })
  .refine(isTimeZone, WRONG_TIME_ZONE)
  .describe('An IANA time zone')
  .meta({ example: 'Africa/Casablanca' })
const WRONG_TIME = 'Enter a time such as 22:30'
const ClockTime = z
  .string(WRONG_TIME)
  .regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, WRONG_TIME)
  .meta({ example: '22:30' })
const period = { from: ClockTime, to: ClockTime }
const quietHours = <S extends z.ZodType>(schema: S) =>
  schema.nullable().describe('Mails and push messages wait until `to`; safety mails do not. Null for none')
const QuietHours = quietHours(z.object(period))
const QuietHoursInput = quietHours(
  z.strictObject(period).refine(({ from, to }) => from !== to, { path: ['to'], error: 'Choose two different times' }),
)
const digest = {
  digestHour: z
    .int('Choose an hour from 0 to 23')
    .min(0, 'Choose an hour from 0 to 23')
    .max(23, 'Choose an hour from 0 to 23')
    .describe('Of the daily and weekly mails'),
  digestWeekday: z
    .int('Choose a day from 1 to 7')
    .min(1, 'Choose a day from 1 to 7')
    .max(7, 'Choose a day from 1 to 7')
    .describe('Of the weekly mail: 1 is Monday'),
  timeZone: TimeZone,
}

export const NotificationSettings = z.object({ ...digest, quietHours: QuietHours }).meta({ id: 'NotificationSettings' })
export type NotificationSettings = z.output<typeof NotificationSettings>

export const NotificationSettingsInput = z.strictObject({ ...digest, quietHours: QuietHoursInput })

/** Of everybody who has not changed them. */
export const DEFAULT_NOTIFICATION_SETTINGS: NotificationSettings = {
  digestHour: 8,
  digestWeekday: 1,
  quietHours: null,
  timeZone: 'Africa/Casablanca',
}

export const PreferencesOutput = z.object({
  preferences: z.array(NotificationPreference).describe('Of every kind'),
  settings: NotificationSettings,
  mailPausedAt: Timestamp.nullable().describe(
    'Since when nothing is mailed but codes and what concerns safety, because the address rejected three mails in a row',
  ),
})

const PreferenceChange = z
  .strictObject({ kind: KindName, ...Channels })
  .refine(({ kind, mail }) => !notificationKindOf(kind).isSafety || mail === 'instant', {
    path: ['mail'],
    error: 'Emails about the safety of your account cannot be turned off',
  })
  .refine(({ kind, mail }) => notificationKindOf(kind).channels.mail !== 'off' || mail === 'off', {
    path: ['mail'],
    error: 'There are no emails of this kind',
  })

export const PreferencesInput = z.object({
  preferences: z
    .array(PreferenceChange)
    .max(NOTIFICATION_KIND_NAMES.length, 'Name each kind only once')
    .refine((all) => new Set(all.map(({ kind }) => kind)).size === all.length, 'Name each kind only once')
    .optional()
    .describe(
      'At most one entry for each kind; omitted kinds keep their channels. `mail` of kinds that concern safety is always `instant`',
    ),
  settings: NotificationSettingsInput.partial().optional().describe('Omitted fields keep their value'),
})
