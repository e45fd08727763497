import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** What one file of src/locales holds: the English text, which is also its id, and what it says in the other languages. */
export type MessageFile = Record<string, { fr: string; ar: string }>
export type Language = 'en' | 'fr' | 'ar'

type Compiled = string | unknown[]

// The compiler that this very @lingui/core was built with: it is core's dependency, not ours.
const requireFromCore = createRequire(createRequire(import.meta.url).resolve('@lingui/core'))
const { compileMessage } = requireFromCore('@lingui/message-utils/compileMessage') as {
  compileMessage: (message: string) => Compiled
}

const isPattern = (message: string): boolean => message.includes('{')

/** Every file of the folder, by its name without the ending. */
export function readMessageFiles(folder: string): Map<string, MessageFile> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return new Map(
    files.map((file) => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(join(folder, file), 'utf8')) as MessageFile,
    ]),
  )
}

/** One language's messages, patterns compiled. English holds only its patterns: any other text is its own id. */
export function catalogOf(language: Language, files: Iterable<MessageFile>): Record<string, Compiled> {
  const catalog: Record<string, Compiled> = {}
  for (const file of files) {
    for (const [id, translations] of Object.entries(file)) {
      const text = language === 'en' ? id : translations[language]
      if (isPattern(text)) catalog[id] = compileMessage(text)
      else if (text !== id) catalog[id] = text
    }
  }
  return catalog
}

const PREFIX = 'virtual:catalog/'

/** Serves `virtual:catalog/{en|fr|ar}`: so a language's bytes are one chunk, loaded alone. */
export function catalogs(folder: string): Plugin {
  return {
    name: 'catalogs',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined
      for (const file of readdirSync(folder)) this.addWatchFile(join(folder, file))
      const language = id.slice(PREFIX.length + 1) as Language
      const json = JSON.stringify(catalogOf(language, readMessageFiles(folder).values()))
      return { code: `export default JSON.parse(${JSON.stringify(json)})`, map: null }
    },
  }
}
