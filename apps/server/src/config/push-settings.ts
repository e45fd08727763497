import type { Variables } from './variables.ts'

export interface PushSettings {
  publicKey: string
  privateKey: string
  /** Where push services reach the operator. */
  subject: string
}

/** Undefined without keys. */
export const pushSettings = (values: Variables, supportEmail: string): PushSettings | undefined =>
  values.VAPID_PUBLIC_KEY === undefined
    ? undefined
    : {
        publicKey: values.VAPID_PUBLIC_KEY,
        privateKey: values.VAPID_PRIVATE_KEY ?? '',
        subject: values.VAPID_SUBJECT ?? `mailto:${supportEmail}`,
      }
