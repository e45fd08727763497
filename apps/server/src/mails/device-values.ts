import { isIP } from 'node:net'
import { formatTime, type Language, LOCALES } from '@community/contract'

export interface Device {
  browser: string | null
  system: string | null
  address: string
  /** ISO 3166; null when unknown. */
  country: string | null
}

const WORDS: Record<
  Language,
  { deviceOnSystem: (browser: string, system: string) => string; device: string; place: string }
> = {
  en: {
    deviceOnSystem: (browser, system) => `${browser} on ${system}`,
    device: 'Unknown device',
    place: 'Unknown location',
  },
  fr: {
    deviceOnSystem: (browser, system) => `${browser} sur ${system}`,
    device: 'Appareil inconnu',
    place: 'Lieu inconnu',
  },
  ar: {
    deviceOnSystem: (browser, system) => `${browser} على ${system}`,
    device: 'جهاز غير معروف',
    place: 'مكان غير معروف',
  },
}

const deviceIn = (language: Language, { browser, system }: Device): string =>
  browser && system ? WORDS[language].deviceOnSystem(browser, system) : (browser ?? system ?? WORDS[language].device)

function placeIn(language: Language, { address, country }: Device): string {
  // A proxy may pass on anything: mails contain valid IP addresses only.
  // In Arabic an IPv6 address needs an isolate, or its groups would be shown in reverse.
  const isolated = language === 'ar' ? `\u2066${address}\u2069` : address
  const displayAddress = isIP(address) ? isolated : ''
  const name = country && new Intl.DisplayNames(LOCALES[language], { type: 'region' }).of(country)
  if (name) return displayAddress ? `${name} (${displayAddress})` : name
  return displayAddress || WORDS[language].place
}

/** Device, place and time (with its zone) in the reader's language. */
export const deviceValues = (language: Language, device: Device, at: Date) => ({
  device: deviceIn(language, device),
  place: placeIn(language, device),
  time: formatTime(language, at, 'UTC'),
})
