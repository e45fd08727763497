import { deviceValues, type Device } from '../mails/device-values.ts'
import type { QueuedMail } from '../jobs/mail.ts'
import type { UserRow } from '../users/account-queries.ts'

/** Notifies the owner of a sign-in from a new device. */
export const createNewDeviceMail = (
  { email, language }: Pick<UserRow, 'email' | 'language'>,
  device: Device,
  at: Date,
): QueuedMail => ({ template: 'new-device', to: email, language, values: deviceValues(language, device, at) })
