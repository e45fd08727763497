import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const SRC = join(dirname(fileURLToPath(import.meta.url)), '../src')

interface Source {
  path: string
  text: string
}

/** Every source under the folder that is not a test. */
const sourcesIn = (folder: string): Source[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|d)\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))

/** Every source of the app that is not a test. */
export const sources = (): Source[] => sourcesIn(SRC)

const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`/.source

const withoutComments = (text: string): string => text.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

const CONTRACT = join(SRC, '../../../packages/contract/src')
/** The contract's files with texts for users. Summaries and descriptions in them are for developers. */
const WITH_USER_TEXTS = /(schemas|rules|primitives|-errors)\.ts$/
const FOR_DEVELOPERS = new RegExp(
  `\\b(?:summary|description|example|successMessage|title): *(?:${LITERAL})|\\bexample: *\\{[^{}]*\\}|\\.describe\\(\\s*(?:${LITERAL})`,
  'g',
)
/** Begins with a capital, contains a space and no braces. */
const SENTENCE = /^[A-Z][^{}]* [^{}]+$/
/** Look like sentences: names of categories, stand-ins for a list's item. */
const NOT_SENTENCES = /^(Data Science|Mobile Development|Web Development|A (criterion|requirement|tag)|[A-Z]+ \/.*)$/

/** The contract's texts that users may see, in forms and errors. */
export function contractTexts(): string[] {
  const texts = readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' })
    .filter((path) => WITH_USER_TEXTS.test(path))
    .flatMap((path) => {
      const text = withoutComments(readFileSync(join(CONTRACT, path), 'utf8')).replace(FOR_DEVELOPERS, '')
      return [...text.matchAll(new RegExp(LITERAL, 'g'))].map((match) => match[0].slice(1, -1))
    })
  return [...new Set(texts)].filter((text) => SENTENCE.test(text) && !NOT_SENTENCES.test(text))
}

const SERVER = join(SRC, '../../server/src')
const ERROR_MESSAGE = new RegExp(
  `(?:\\bwithMessage\\(\\s*[\\w.]+,|\\bcode: '[A-Z_]+', message:)\\s*(${LITERAL}|[^)]*)`,
  'g',
)

/** The sources of the server and the contract, without comments. */
export const serverSources = (): string[] =>
  [SERVER, CONTRACT].flatMap((folder) => sourcesIn(folder)).map(({ text }) => withoutComments(text))

/** The literal messages of errors in the server and the contract, and the expressions that are no literals. */
export function errorTexts(): { texts: string[]; nonLiterals: string[] } {
  const all = serverSources()
  const messages = all.flatMap((text) => [...text.matchAll(ERROR_MESSAGE)].map(([, argument = '']) => argument))
  const isText = (argument: string) => /^['"]/.test(argument)
  return {
    texts: messages.filter(isText).map((text) => text.slice(1, -1)),
    nonLiterals: [
      ...messages.filter((argument) => !isText(argument)),
      ...all.flatMap((text) => text.match(/\.\.\.appErrors\.\w+, message: .*/g) ?? []),
    ],
  }
}

/** The migration that seeds the roles. */
export const roleSeed = (): string =>
  readFileSync(join(SRC, '../../../drizzle/migrations/0003_seed_roles_and_settings.sql'), 'utf8')
