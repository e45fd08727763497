import {
  DEFAULT_NOTIFICATION_SETTINGS,
  type Language,
  type Notification,
  NOTIFICATION_KIND_NAMES,
  type NotificationPreference,
  type NotificationSettings,
  notificationKindOf,
  renderNotification,
} from '@community/contract'
import { usableTimeZone } from './digest-time.ts'
import type { ListedNotification, PreferenceRow, SettingsRow } from './queries.ts'

export function toNotification(
  { body, ...row }: ListedNotification,
  reader: { language: Language; timeZone: string },
): Notification {
  const { text, detail, href } = renderNotification(row.kind, row.params, reader)
  const isChallengeGone = 'challengeId' in row.params && row.params['challengeId'] !== null && row.challengeId === null
  return {
    ...row,
    _id: row.id,
    reason: notificationKindOf(row.kind).reason,
    text,
    detail: body ?? detail,
    href: isChallengeGone && href.startsWith('#challenge-') ? '#challenges' : href,
    createdAt: row.createdAt.toISOString(),
    readAt: row.readAt?.toISOString() ?? null,
  }
}

export function toSettings(
  row: Omit<SettingsRow, 'language' | 'mailPausedAt'> | null | undefined,
): NotificationSettings {
  if (!row || row.timeZone === null) return DEFAULT_NOTIFICATION_SETTINGS
  const { quietFrom: from, quietTo: to } = row
  return {
    digestHour: row.digestHour ?? DEFAULT_NOTIFICATION_SETTINGS.digestHour,
    digestWeekday: row.digestWeekday ?? DEFAULT_NOTIFICATION_SETTINGS.digestWeekday,
    quietHours: from !== null && to !== null ? { from, to } : null,
    timeZone: usableTimeZone(row.timeZone),
  }
}

/** The channels of every kind. */
export function toPreferences(changed: PreferenceRow[]): NotificationPreference[] {
  const byKind = new Map(changed.map(({ userId: _userId, ...row }) => [row.kind, row]))
  return NOTIFICATION_KIND_NAMES.map((kind) => {
    const { channels, isSafety } = notificationKindOf(kind)
    return { kind, ...channels, ...byKind.get(kind), isSafety }
  })
}
