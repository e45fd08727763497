import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appErrors, type ErrorDefinition } from '@community/contract'
import { messageOfSentence } from '@community/contract/registered-messages'
import { setupI18n } from '@lingui/core'
import { describe, expect, it, vi } from 'vitest'
import { catalogProblems, completeCatalogs, openCatalog } from '../build/complete-catalogs.ts'
import { compilePlaceholders } from '../src/lib/i18n.ts'
import { SERVER_TEXTS } from '../src/lib/server-texts.ts'
import { MAIL_LABELS } from '../src/features/admin/mail-labels.ts'
import { contractTexts, errorTexts, serverSources, sources, SRC } from './sources.ts'

const catalogs = await openCatalog().then((catalog) => catalog.readAll())
const textsIn = (language: 'en' | 'fr' | 'ar') =>
  Object.entries(catalogs[language] ?? {}).map(([id, { translation }]) => ({ id, text: translation }))
const knownIds = new Set(textsIn('fr').map(({ id }) => id))
const argumentsOf = (pattern: string): string[] =>
  [...pattern.matchAll(/(?<!select, other )\{\s*(\w+)/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => /^[a-z]\w*$/i.test(name))

const errorDefinitions = Object.values<object>(appErrors).filter(
  (value): value is ErrorDefinition => 'code' in value && 'message' in value,
)

const PLURAL = '{n, plural, other {# Left}}'
const PLURALS = { fr: ['one', 'other'], ar: ['zero', 'one', 'two', 'few', 'many', 'other'] } as const

describe('messages', () => {
  it('contains every text of the sources in every language, and no others', async () => {
    expect(await catalogProblems(), 'Run `pnpm --filter @community/web extract` and translate').toEqual([])
  })

  it('finds missing, blank and unused texts', async () => {
    const root = mkdtempSync(join(tmpdir(), 'catalogs-'))
    mkdirSync(join(root, 'src/locales'), { recursive: true })
    const source = `
      t('Don\\'t') + t(isOpen ? 'Open' : 'Closed') + msg(\`Blank\`) + other('No') // t('No')
      t(
        '${PLURAL}', { n })`
    writeFileSync(join(root, 'src/part.tsx'), source)
    const po = (texts: Record<string, string>) =>
      Object.entries(texts)
        .map(([id, text]) => `msgid ${JSON.stringify(id)}\nmsgstr ${JSON.stringify(text)}\n`)
        .join('\n')
    const catalog = { "Don't": 'Non', Open: 'Oui', Closed: 'Non', Blank: ' ', [PLURAL]: PLURAL, Old: 'Vieux' }
    writeFileSync(join(root, 'src/locales/fr.po'), po(catalog))
    writeFileSync(join(root, 'src/locales/ar.po'), po({ ...catalog, Blank: 'x', Open: '' }))
    writeFileSync(join(root, 'src/locales/en.po'), po({ '{n, plural, other {Old}}': 'Old' }))
    expect(await catalogProblems(root)).toEqual([
      `en.po lacks: ${PLURAL}`,
      'en.po has, unused: {n, plural, other {Old}}',
      'fr.po lacks: Blank',
      'fr.po has, unused: Old',
      'ar.po lacks: Open',
      'ar.po has, unused: Old',
    ])
    // The hook uses only `error` of the plugin context.
    const build = completeCatalogs(root).buildStart as unknown as (this: {
      error: (message: string) => void
    }) => Promise<void>
    const error = vi.fn<(message: string) => void>()
    await build.call({ error })
    expect(error).toHaveBeenCalledWith(expect.stringMatching(/fr.po lacks: Blank[^]*ar.po has, unused: Old/))
    rmSync(root, { recursive: true })
  })

  it('has the source texts as English', () => {
    expect(textsIn('en').filter(({ id, text }) => text !== id)).toEqual([])
  })

  it('compiles English texts outside the catalog as Lingui does', () => {
    const create = () => setupI18n({ locale: 'en', messages: { en: {} } })
    const [lingui, ours] = [create(), create()]
    ours.setMessagesCompiler(compilePlaceholders)
    const english = new Set(textsIn('en').map(({ id }) => id))
    const others = [...knownIds].filter((id) => id.includes('{') && !english.has(id))
    expect(others.length).toBeGreaterThan(150)
    const fill = (id: string) => Object.fromEntries(argumentsOf(id).map((name) => [name, `(${name})`]))
    expect(others.map((id) => ours._(id, fill(id)))).toEqual(others.map((id) => lingui._(id, fill(id))))
  })

  it.each(['fr', 'ar'] as const)('keeps the values and the plural forms in %s', (language) => {
    const invalid = textsIn(language).filter(({ id, text }) => {
      const names = new Set(argumentsOf(id).filter((name) => new RegExp(`\\{\\s*${name}\\s*[,}]`).test(id)))
      const isIncomplete = [...names].some((name) => !new RegExp(`\\{\\s*${name}\\s*[,}]`).test(text))
      const lacksForms =
        /,\s*plural\s*,/.test(id) && PLURALS[language].some((form) => !new RegExp(`\\b${form}\\s*\\{`).test(text))
      // In a pattern, an apostrophe before a brace quotes it: write ’ instead.
      return isIncomplete || lacksForms || /'[{}]/.test(text)
    })
    expect(invalid.map(({ id }) => id)).toEqual([])
  })

  it('isolates values next to signs, slashes and parentheses in Arabic, which would change places with them', () => {
    const touching = /[/%+:(\-–×]\{\w+\}|\{\w+\}[/%+)\-–×]/
    expect(touching.test('الأعضاء: {count}/{max}')).toBe(true)
    // U+2066 and U+2068 begin an isolate, U+2069 ends it.
    const withoutIsolates = (text: string) => text.replace(/[\u2066\u2068][^\u2069]*\u2069/g, '')
    const bare = textsIn('ar').filter(({ text }) => touching.test(withoutIsolates(text)))
    expect(bare.map(({ id }) => id)).toEqual([])
  })

  it('has a narrow no-break space before French colons and similar marks', () => {
    const french = textsIn('fr').map(({ text }) => text.replace(/\bhttps?:/g, ''))
    expect(french.filter((text) => /(^|[^\u202f])([:;!?](?=\s|$)|»)|«(?!\u202f)/.test(text))).toEqual([])
  })

  it('does not concatenate a colon between two values in the code', () => {
    const composed = /\}: (<|\$\{)|\}:\{' |<\/bdi>:|\s': '/
    expect(composed.test("{t('Submitted By')}: <bdi>")).toBe(true)
    const places = sources().flatMap(({ path, text }) =>
      text.split('\n').flatMap((line) => (composed.test(line) ? [`${path}: ${line.trim()}`] : [])),
    )
    expect(places).toEqual([])
  })

  it('contains every text of the specification, letter by letter', () => {
    const specified = readFileSync(join(SRC, '../test/specification-texts.txt'), 'utf8').trim().split('\n')
    expect(specified.length).toBeGreaterThan(180)
    // A limit is a parameter of its text: the contract knows the whole sentence.
    const templates = new Map(errorDefinitions.map(({ message, template }) => [message, template]))
    const templateOf = (text: string) => templates.get(text) ?? messageOfSentence(text)?.template ?? text
    const isKnown = (text: string) => knownIds.has(templateOf(text))
    expect(specified.filter((text) => !isKnown(text))).toEqual([])
  })

  it('contains every text of the contract that users may see', () => {
    const unknown = contractTexts().filter((text) => !knownIds.has(text))
    expect(unknown, 'Add them to src/lib/server-texts.ts').toEqual([])
  })

  it('contains every error message and template of the server', () => {
    const { texts, nonLiterals } = errorTexts()
    expect(texts.length).toBeGreaterThan(15)
    const unknown = texts.filter((text) => !knownIds.has(text))
    expect(unknown, 'Add them to src/lib/server-texts.ts').toEqual([])
    // A variable: its texts come from a rule of the contract, checked above.
    expect(nonLiterals).toEqual(['problem'])
  })

  it('contains every reason for which a webhook’s message was not delivered', () => {
    const source = readFileSync(join(SRC, '../../server/src/jobs/webhooks.ts'), 'utf8')
    const texts = [...source.matchAll(/^const (?:OBSTACLES|REASONS)\b[^]*?^}/gm)].flatMap(([table]) =>
      [...table.matchAll(/: '(.*)',$/gm)].map(([, text = '']) => text),
    )
    expect(texts.length).toBeGreaterThan(9)
    expect(texts.filter((text) => !knownIds.has(text))).toEqual([])
  })

  it('labels every kind of mail', () => {
    const kinds = ['texts.ts', 'security-texts.ts'].flatMap((file) => {
      const source = readFileSync(join(SRC, '../../server/src/mails', file), 'utf8')
      const [, list = ''] = /_TEMPLATES = \[([^\]]*)\]/.exec(source) ?? []
      return [...list.matchAll(/'([\w-]+)'/g)].map(([, kind = '']) => kind)
    })
    expect(kinds.length).toBeGreaterThan(10)
    expect(kinds.filter((kind) => !(kind in MAIL_LABELS))).toEqual([])
  })

  it('contains every error message of the contract', () => {
    const texts = errorDefinitions.map(({ message, template = message }) => template)
    expect(texts.length).toBeGreaterThan(20)
    expect([...new Set(texts)].filter((text) => !knownIds.has(text))).toEqual([])
  })

  it('lists no server text that the server does not use', () => {
    const withoutNumbers = (text: string) => text.replace(/\$\{[^}]*\}|\{n\}|\d+/g, '0')
    const serverText = withoutNumbers(serverSources().join('\n')).replaceAll("\\'", "'")
    expect(SERVER_TEXTS.filter((text) => !serverText.includes(withoutNumbers(text)))).toEqual([])
  })
})
