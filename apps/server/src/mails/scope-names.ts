import type { Language, TokenScope } from '@community/contract'
import { listText } from './list-text.ts'

const NAMES: Record<Language, Record<TokenScope, string>> = {
  en: { read: 'Read', write: 'Write', admin: 'Administration' },
  fr: { read: 'Lecture', write: 'Écriture', admin: 'Administration' },
  ar: { read: 'القراءة', write: 'الكتابة', admin: 'الإدارة' },
}

/** The scopes of a personal access token as the web app names them. */
export const scopesIn = (language: Language, scopes: readonly TokenScope[]): string =>
  listText(
    language,
    scopes.map((scope) => NAMES[language][scope]),
  )
