import { readFileSync } from 'node:fs'
import PO from 'pofile'

export type Language = 'en' | 'fr' | 'ar'
/** A text of the page in the crawler's language; values replace `{name}`. */
export type Translate = (id: string, values?: Record<string, string | number>) => string

const textsIn = (language: 'fr' | 'ar') => {
  const file = new URL(`../../web/src/locales/${language}.po`, import.meta.url)
  return new Map(PO.parse(readFileSync(file, 'utf8')).items.map(({ msgid, msgstr }) => [msgid, msgstr[0]]))
}
const french = textsIn('fr')
const texts = { en: new Map([...french.keys()].map((id) => [id, id])), fr: french, ar: textsIn('ar') }

/** @throws for a text that is not in the catalog */
export function translatorFor(language: Language): Translate {
  return (id, values = {}) => {
    const text = texts[language].get(id)
    if (text === undefined) throw new Error(`No text of the page: ${id}`)
    return text
      .replaceAll(/\{\w+, select, other \{([^}]*)\}\}/g, '$1')
      .replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))
  }
}
