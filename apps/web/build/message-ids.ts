import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { readMessageFiles } from './catalogs.ts'

export interface Source {
  path: string
  text: string
}

/** Every source under the folder that is not a test. */
export function sourcesIn(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
}

export const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`/.source
const MARKED = new RegExp(`\\b(?:t|msg)\\(\\s*(${LITERAL})`, 'g')

// Quotes differ, escapes are the same: what stands between them is read as JSON would.
const valueOf = (literal: string): string =>
  JSON.parse(
    `"${literal
      .slice(1, -1)
      .replace(/\\(['`])/g, '$1')
      .replace(/(?<!\\)"/g, '\\"')}"`,
  ) as string

/** Examples in comments are no texts of the product. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

/** The ids a source gives to `t` or marks with `msg`. */
export const idsOf = (text: string): string[] =>
  [...withoutComments(text).matchAll(MARKED)].map((match) => valueOf(match[1] ?? '""'))

/** Texts that arrive from the server or a schema, so that no source names them. */
const FROM_SERVER = 'server'

/** What the catalogs lack, or say in one language only, and what they hold that nothing uses; a line each. */
export function catalogProblems(src: string): { missing: string[]; unused: string[] } {
  const files = readMessageFiles(join(src, 'locales'))
  const entries = [...files].flatMap(([file, messages]) =>
    Object.entries(messages).map(([id, texts]) => ({ file, id, texts })),
  )
  const known = new Set(entries.map(({ id }) => id))
  const used = new Map(sourcesIn(src).flatMap(({ path, text }) => idsOf(text).map((id) => [id, path] as const)))
  return {
    missing: [
      ...[...used].filter(([id]) => !known.has(id)).map(([id, path]) => `${path}: ${id}`),
      ...entries
        .filter(({ texts }) => !texts.fr?.trim() || !texts.ar?.trim())
        .map(({ file, id }) => `locales/${file}.json, in French or Arabic: ${id}`),
    ],
    unused: entries
      .filter(({ file, id }) => file !== FROM_SERVER && !used.has(id))
      .map(({ file, id }) => `locales/${file}.json: ${id}`),
  }
}

/** Fails the build where a text has no translation, or a translation no text. */
export function completeCatalogs(src: string): Plugin {
  return {
    name: 'complete-catalogs',
    apply: 'build',
    buildStart() {
      const { missing, unused } = catalogProblems(src)
      const lines = [...missing.map((one) => `missing: ${one}`), ...unused.map((one) => `unused: ${one}`)]
      if (lines.length > 0) this.error(`The catalogs of messages are not complete.\n${lines.join('\n')}`)
    },
  }
}
