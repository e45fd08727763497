import { type Language, limits } from '@community/contract'
import type { Config } from '../../config.ts'
import { RETENTION_DAYS } from '../../jobs/retention.ts'
import { appNameIn } from '../../mails/app-name.ts'

/** The values that the default privacy and terms pages insert: names, and how many days or hours something is stored. */
export const pageValues = ({ appName, links }: Pick<Config, 'appName' | 'links'>, language: Language) => ({
  appName: appNameIn(language, appName),
  supportEmail: links.supportEmail,
  signInDays: limits.REFRESH_TOKEN_TTL / limits.DAY,
  deviceDays: RETENTION_DAYS.knownDevices,
  codeDays: RETENTION_DAYS.codes,
  tokenDays: RETENTION_DAYS.personalTokens,
  mailDays: RETENTION_DAYS.jobs,
  notificationDays: limits.NOTIFICATION_TTL / limits.DAY,
  webhookDays: limits.WEBHOOK_DELIVERY_TTL / limits.DAY,
  unusedFileHours: limits.ORPHAN_TTL / limits.HOUR,
  responseHours: limits.IDEMPOTENCY_KEY_TTL / limits.HOUR,
})
export type PageValues = ReturnType<typeof pageValues>
