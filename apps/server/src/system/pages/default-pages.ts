import type { Language, PageName } from '@community/contract'
import type { PageValues } from './page-values.ts'
import { privacyAr } from './privacy-ar.ts'
import { privacyEn } from './privacy-en.ts'
import { privacyFr } from './privacy-fr.ts'
import { termsAr } from './terms-ar.ts'
import { termsEn } from './terms-en.ts'
import { termsFr } from './terms-fr.ts'

/** Shown where the administrators have written no text of their own. */
export const DEFAULT_PAGES: Record<PageName, Record<Language, (values: PageValues) => string>> = {
  privacy: { en: privacyEn, fr: privacyFr, ar: privacyAr },
  terms: { en: termsEn, fr: termsFr, ar: termsAr },
}
