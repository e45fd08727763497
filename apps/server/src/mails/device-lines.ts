import type { Language } from '@community/contract'
import type { MailLine } from './texts.ts'

/** A mail's lines about an action: the device, the place and the time, which `deviceValues` returns. */
export const DEVICE_LINES: Record<Language, readonly MailLine[]> = {
  en: [
    ['Device', 'device'],
    ['Location', 'place'],
    ['Time', 'time'],
  ],
  fr: [
    ['Appareil', 'device'],
    ['Lieu', 'place'],
    ['Date et heure', 'time'],
  ],
  ar: [
    ['الجهاز', 'device'],
    ['المكان', 'place'],
    ['التاريخ والوقت', 'time'],
  ],
}
