import { deviceValues, type Device } from '../mails/device-values.ts'
import type { Tx } from '@community/db'
import type { Deps } from '../context.ts'
import { type QueuedMail, queueMail } from '../jobs/mail.ts'
import { notify } from '../notifications/notify.ts'
import type { UserRow } from '../users/account-queries.ts'

const createNewDeviceMail = (
  { email, language }: Pick<UserRow, 'email' | 'language'>,
  device: Device,
  at: Date,
): QueuedMail => ({ template: 'new-device', to: email, language, values: deviceValues(language, device, at) })

/** Notifies the owner of a sign-in from a new device, by mail and in the app. */
export async function notifyOfNewDevice(
  tx: Tx,
  deps: Pick<Deps, 'secret'>,
  account: Pick<UserRow, 'id' | 'email' | 'language'>,
  device: Device,
): Promise<void> {
  const name = [device.browser, device.system].filter(Boolean).join(' · ')
  await Promise.all([
    queueMail(tx, deps, createNewDeviceMail(account, device, new Date())),
    notify(tx, { userId: account.id }, { kind: 'account.new-device', params: { device: name || null }, actorId: null }),
  ])
}
