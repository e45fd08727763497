import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Language = 'en' | 'fr' | 'ar'
/** A text of the page in the crawler's language; values replace `{name}`. */
export type Translate = (id: string, values?: Record<string, string | number>) => string

const LOCALES = fileURLToPath(new URL('../../web/src/locales/', import.meta.url))
const texts = new Map<string, { fr: string; ar: string }>()
for (const file of readdirSync(LOCALES)) {
  const messages = JSON.parse(readFileSync(`${LOCALES}${file}`, 'utf8')) as Record<string, { fr: string; ar: string }>
  for (const [id, translations] of Object.entries(messages)) texts.set(id, translations)
}

/** @throws for a text that is not in the catalog */
export function translatorFor(language: Language): Translate {
  return (id, values = {}) => {
    const known = texts.get(id)
    if (!known) throw new Error(`No text of the page: ${id}`)
    const text = language === 'en' ? id : known[language]
    return text
      .replaceAll(/\{\w+, select, other \{([^}]*)\}\}/g, '$1')
      .replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  }
}
