import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const SRC = join(dirname(fileURLToPath(import.meta.url)), '../src')
export const LOCALES = join(SRC, 'locales')

export interface Source {
  path: string
  text: string
}

/** Every source of the app that is not a test. */
export function sources(): Source[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }))
}

const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`/.source
const MARKED = new RegExp(`\\b(?:t|msg)\\(\\s*(${LITERAL})`, 'g')
const CHOSEN_INSIDE = new RegExp(`\\b(?:t|msg)\\([^'"\`()]*[?|]\\s*(?:${LITERAL})`, 'g')

// Quotes differ, escapes are the same: what stands between them is read as JSON would.
const valueOf = (literal: string): string =>
  JSON.parse(
    `"${literal
      .slice(1, -1)
      .replace(/\\(['`])/g, '$1')
      .replace(/(?<!\\)"/g, '\\"')}"`,
  ) as string

// Examples in comments are no texts of the product.
const withoutComments = (text: string): string => text.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

/** The ids a source gives to `t` or marks with `msg`. */
export const idsOf = (text: string): string[] =>
  [...withoutComments(text).matchAll(MARKED)].map((match) => valueOf(match[1] ?? '""'))

/** Calls that choose between texts inside the parentheses, where the scan cannot see them. */
export const hiddenChoices = (text: string): string[] => [...text.matchAll(CHOSEN_INSIDE)].map((match) => match[0])

const CONTRACT = join(SRC, '../../../packages/contract/src')
/** Where the contract's words to readers stand: schemas and rules. Summaries and descriptions are for developers. */
const SPEAKING = /(schemas|rules|primitives|faults)\.ts$/
const FOR_DEVELOPERS = new RegExp(
  `\\b(?:summary|description|example|done|title): *(?:${LITERAL})|\\.describe\\(\\s*(?:${LITERAL})`,
  'g',
)
/** A sentence: a capital, a space, and no braces. */
const SENTENCE = /^[A-Z][^{}]* [^{}]+$/
/** What a sentence looks like but is not: names of categories, stand-ins for a list's item. */
const NO_SENTENCE = /^(Data Science|Mobile Development|Web Development|A (criterion|requirement|tag)|[A-Z]+ \/.*)$/

/** The contract's texts that forms and refusals show. */
export function contractTexts(): string[] {
  const texts = readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' })
    .filter((path) => SPEAKING.test(path))
    .flatMap((path) => {
      const text = withoutComments(readFileSync(join(CONTRACT, path), 'utf8')).replace(FOR_DEVELOPERS, '')
      return [...text.matchAll(new RegExp(LITERAL, 'g'))].map((match) => match[0].slice(1, -1))
    })
  return [...new Set(texts)].filter((text) => SENTENCE.test(text) && !NO_SENTENCE.test(text))
}

/** The migration that seeds the roles. */
export const roleSeed = (): string =>
  readFileSync(join(SRC, '../../../drizzle/migrations/0003_seed_roles_and_settings.sql'), 'utf8')
