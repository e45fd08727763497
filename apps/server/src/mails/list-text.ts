import type { Language } from '@community/contract'

/** Joins texts with the language’s comma. */
export const listText = (language: Language, texts: readonly string[]): string =>
  texts.join(language === 'ar' ? '، ' : ', ')
