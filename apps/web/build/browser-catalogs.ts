import { runInNewContext } from 'node:vm'
import type { Plugin } from 'vite'
import { API_TEXTS } from '../src/lib/api-texts.ts'
import { openCatalog } from './complete-catalogs.ts'

const CATALOG = /\/locales\/(\w+)\.po(\?admin\?lingui)?$/
const ADMIN_SOURCE = /features\/admin\//

type Compiled = Record<string, unknown>

/** The messages that occur in the admin area only. */
async function findAdminMessages(): Promise<Set<string>> {
  const used = (await (await openCatalog()).collect()) ?? {}
  const isOfAdmin = (origins: readonly [string, ...unknown[]][] = []) =>
    origins.length > 0 && origins.every(([file]) => ADMIN_SOURCE.test(file))
  return new Set(Object.keys(used).filter((id) => isOfAdmin(used[id]?.origin)))
}

/**
 * Splits each language's compiled catalog: `fr.po` becomes what everybody may see, `fr.po?admin?lingui` the messages of the admin
 * area. Messages that only callers of the API meet are in neither. Without a build, both have all messages.
 */
export function browserCatalogs(): Plugin {
  let adminMessages: Promise<Set<string>> | undefined
  return {
    name: 'browser-catalogs',
    apply: 'build',
    async transform(code, id) {
      const [, language, query] = CATALOG.exec(id) ?? []
      if (language === undefined) return null
      const [, literal] = /JSON\.parse\((".*")\)/s.exec(code) ?? []
      if (literal === undefined) this.error('@lingui/vite-plugin compiles catalogs in another form')
      // The literal has escapes of JavaScript that JSON does not know.
      const messages = JSON.parse(runInNewContext(literal) as string) as Compiled
      const unknown = API_TEXTS.find((message) => !(message in messages) && language !== 'en')
      if (unknown !== undefined) this.error(`No catalog has “${unknown}”`)
      adminMessages ??= findAdminMessages()
      const ofAdmin = await adminMessages
      const isApiText = (message: string) => (API_TEXTS as readonly string[]).includes(message)
      const kept = Object.entries(messages).filter(
        ([message]) => !isApiText(message) && ofAdmin.has(message) === (query !== undefined),
      )
      const json = JSON.stringify(JSON.stringify(Object.fromEntries(kept)))
      return { code: code.replace(literal, () => json), map: null }
    },
  }
}
