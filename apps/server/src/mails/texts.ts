import type { Language } from '@community/contract'
import { SECURITY_TEMPLATES, SECURITY_TEXTS, type SecurityTemplate } from './security-texts.ts'
import { ar } from './texts-ar.ts'
import { en } from './texts-en.ts'
import { fr } from './texts-fr.ts'

/** A paragraph, or a label and the name of its value. */
export type MailLine = string | readonly [label: string, value: string]

/** The text of a mail; `{code}` and other names in braces are replaced by values. */
export interface MailText {
  subject: string
  heading: string
  lines: readonly MailLine[]
}

export const MAIL_TEMPLATES = [
  'code-registration',
  'code-sign-in',
  'code-reset',
  'code-external',
  'already-registered',
  'new-device',
  'password-changed',
  'webhook-disabled',
  ...SECURITY_TEMPLATES,
] as const
export type MailTemplate = (typeof MAIL_TEMPLATES)[number]
export type AccountTemplate = Exclude<MailTemplate, SecurityTemplate>

export const MAIL_TEXTS: Record<Language, Record<MailTemplate, MailText>> = {
  en: { ...en, ...SECURITY_TEXTS.en },
  fr: { ...fr, ...SECURITY_TEXTS.fr },
  ar: { ...ar, ...SECURITY_TEXTS.ar },
}
