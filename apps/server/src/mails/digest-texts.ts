import type { Language } from '@community/contract'

interface DigestTexts {
  /** By the plural form of `{n}`. */
  subject: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }
  /** Heading of notifications about neither a team nor a challenge. */
  account: string
  /** Says below the shown notifications how many more there are. */
  more: string
}

/** The texts of digests. */
export const DIGEST_TEXTS: Record<Language, DigestTexts> = {
  en: {
    subject: { one: '{n} notification for you', other: '{n} notifications for you' },
    account: 'Your account',
    more: 'And {n} more in the app',
  },
  fr: {
    subject: { one: '{n} notification pour vous', other: '{n} notifications pour vous' },
    account: 'Votre compte',
    more: 'Et {n} de plus dans l’application',
  },
  ar: {
    subject: {
      one: 'لديك إشعار واحد',
      two: 'لديك إشعاران',
      few: 'لديك {n} إشعارات',
      many: 'لديك {n} إشعارًا',
      other: 'لديك {n} إشعار',
    },
    account: 'حسابك',
    more: 'والمزيد في التطبيق: {n}',
  },
}
