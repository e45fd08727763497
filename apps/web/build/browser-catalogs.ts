import { runInNewContext } from 'node:vm'
import type { Plugin } from 'vite'

/** Messages about requests that only programs send. The server translates them; the app never meets them. */
const API_ONLY = [
  'page must be a whole number',
  'page must be at least {n}',
  'page must be at most {n}',
  'limit must be a whole number',
  'limit must be at least {n}',
  'limit must be at most {n}',
  'Must be 1 to 12 team ids, separated by commas',
  'This page number is too high. Use cursor.',
  'Send the file as multipart/form-data',
  'The body must be a JSON object',
  'The body is not valid JSON',
  'Streaming is not supported. Accept application/json.',
]

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
      for (const message of API_ONLY) {
        if (!(message in messages) && !id.endsWith('en.po')) this.error(`No catalog has “${message}”`)
        delete messages[message]
      }
      return { code: code.replace(literal, () => JSON.stringify(JSON.stringify(messages))), map: null }
    },
  }
}
