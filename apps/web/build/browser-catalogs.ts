import { runInNewContext } from 'node:vm'
import type { Plugin } from 'vite'
import { API_TEXTS } from '../src/lib/api-texts.ts'

/** Leaves messages that only callers of the API meet out of the catalogs that browsers load. */
export function browserCatalogs(): Plugin {
  return {
    name: 'browser-catalogs',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith('.po')) return null
      const [, literal] = /JSON\.parse\((".*")\)/s.exec(code) ?? []
      if (literal === undefined) this.error('@lingui/vite-plugin compiles catalogs in another form')
      // The literal has escapes of JavaScript that JSON does not know.
      const messages = JSON.parse(runInNewContext(literal) as string) as Record<string, unknown>
      for (const message of API_TEXTS) {
        if (!(message in messages) && !id.endsWith('en.po')) this.error(`No catalog has “${message}”`)
        delete messages[message]
      }
      return { code: code.replace(literal, () => JSON.stringify(JSON.stringify(messages))), map: null }
    },
  }
}
