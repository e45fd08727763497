import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appErrors } from '@community/contract'
import { describe, expect, it } from 'vitest'
import { catalogOf, readMessageFiles } from '../build/catalogs.ts'
import { catalogProblems, completeCatalogs, idsOf } from '../build/message-ids.ts'
import { contractTexts, hiddenChoices, LOCALES, refusalTexts, sources, SRC } from './sources.ts'

const files = readMessageFiles(LOCALES)
const entries = [...files].flatMap(([file, messages]) =>
  Object.entries(messages).map(([id, texts]) => ({ file, id, texts })),
)
const known = new Set(entries.map(({ id }) => id))
const argumentsOf = (pattern: string): string[] =>
  [...pattern.matchAll(/(?<!select, other )\{\s*(\w+)/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => /^[a-z]\w*$/i.test(name))

const PLURALS = { fr: ['one', 'other'], ar: ['zero', 'one', 'two', 'few', 'many', 'other'] } as const

describe('messages', () => {
  it('reads ids out of sources', () => {
    expect(idsOf(`t('Don\\'t') + t(\n  "It's {n}", { n }) + msg(\`Plain\`) + other('No')`)).toEqual([
      "Don't",
      "It's {n}",
      'Plain',
    ])
    expect(hiddenChoices(`t(isOpen ? 'Open' : 'Closed')`)).toHaveLength(1)
  })

  it('has French and Arabic for every text a source uses, and no text that nothing uses', () => {
    const { missing, unused } = catalogProblems(SRC)
    expect(missing, 'Add them to src/locales/<feature>.json').toEqual([])
    expect(unused).toEqual([])
  })

  it('finds what is missing, said in one language only, or unused', () => {
    const src = mkdtempSync(join(tmpdir(), 'catalogs-'))
    mkdirSync(join(src, 'locales'))
    writeFileSync(join(src, 'part.tsx'), `t('Said'); t('Not said'); t('Half said')\n  // t('In a comment')`)
    const said = {
      Said: { fr: 'Dit', ar: 'قيل' },
      'Half said': { fr: 'Dit', ar: ' ' },
      Old: { fr: 'Vieux', ar: 'قديم' },
    }
    writeFileSync(join(src, 'locales/part.json'), JSON.stringify(said))
    expect(catalogProblems(src)).toEqual({
      missing: ['part.tsx: Not said', 'locales/part.json, in French or Arabic: Half said'],
      unused: ['locales/part.json: Old'],
    })
    // Of the bundler's surroundings the hook uses `error` alone.
    const build = completeCatalogs(src).buildStart as unknown as (this: { error: (told: string) => never }) => void
    const error = (told: string): never => {
      throw new Error(told)
    }
    expect(() => build.call({ error })).toThrow(/missing: part.tsx: Not said[^]*unused: locales\/part.json: Old/)
    rmSync(src, { recursive: true })
  })

  it('says the same thing wherever an id stands twice', () => {
    const first = new Map<string, string>()
    const differing = entries.filter(({ id, texts }) => {
      const said = JSON.stringify([texts.fr, texts.ar])
      const before = first.get(id) ?? said
      first.set(id, before)
      return before !== said
    })
    expect(differing.map(({ file, id }) => `${file}: ${id}`)).toEqual([])
  })

  it('hides no text in a choice: write `isOpen ? t(a) : t(b)`', () => {
    expect(sources().flatMap(({ path, text }) => hiddenChoices(text).map((call) => `${path}: ${call}`))).toEqual([])
  })

  it.each(['fr', 'ar'] as const)('keeps the values and the plural forms in %s', (language) => {
    const wrong = entries.filter(({ id, texts }) => {
      const text = texts[language] ?? ''
      const names = new Set(argumentsOf(id).filter((name) => new RegExp(`\\{\\s*${name}\\s*[,}]`).test(id)))
      const isIncomplete = [...names].some((name) => !new RegExp(`\\{\\s*${name}\\s*[,}]`).test(text))
      const lacksForms =
        /,\s*plural\s*,/.test(id) && PLURALS[language].some((form) => !new RegExp(`\\b${form}\\s*\\{`).test(text))
      // In a pattern, an apostrophe before a brace quotes it: write ’ instead.
      return isIncomplete || lacksForms || /'[{}]/.test(text)
    })
    expect(wrong.map(({ id }) => id)).toEqual([])
  })

  it('sets a French colon and its like off by a space that does not break', () => {
    const french = entries.map(({ texts }) => texts.fr.replace(/\bhttps?:/g, ''))
    expect(french.filter((text) => /(^|[^\u00a0\u202f])([:;!?](?=\s|$)|»)|«(?![\u00a0\u202f])/.test(text))).toEqual([])
  })

  it('leaves a colon between two values to the catalog', () => {
    const composed = /\}: (<|\$\{)|\}:\{' |<\/bdi>:|\s': '/
    expect(composed.test("{t('Submitted By')}: <bdi>")).toBe(true)
    const places = sources().flatMap(({ path, text }) =>
      text.split('\n').flatMap((line) => (composed.test(line) ? [`${path}: ${line.trim()}`] : [])),
    )
    expect(places).toEqual([])
  })

  it('compiles in all three languages', () => {
    for (const language of ['en', 'fr', 'ar'] as const) {
      expect(() => catalogOf(language, files.values())).not.toThrow()
    }
  })

  it('has every text of the specification, letter by letter', () => {
    const specified = readFileSync(join(SRC, '../test/specification-texts.txt'), 'utf8').trim().split('\n')
    expect(specified.length).toBeGreaterThan(180)
    expect(specified.filter((text) => !known.has(text))).toEqual([])
  })

  it('knows every text of the contract that a reader may meet', () => {
    const unknown = contractTexts().filter((text) => !known.has(text))
    expect(unknown, 'Add them to src/locales/server.json').toEqual([])
  })

  it('knows every text and template that the server refuses by', () => {
    const { texts, hidden } = refusalTexts()
    expect(texts.length).toBeGreaterThan(15)
    const unknown = texts.filter((text) => !known.has(text))
    expect(unknown, 'Add them to src/locales/server.json').toEqual([])
    // The words of the contract's own rule.
    expect(hidden).toEqual(['problem'])
  })

  it('knows every refusal of the contract', () => {
    const said = Object.values(appErrors).flatMap((fault) =>
      typeof fault === 'object' && 'message' in fault ? [fault.message] : [],
    )
    expect(said.length).toBeGreaterThan(20)
    expect([...new Set(said)].filter((message) => typeof message === 'string' && !known.has(message))).toEqual([])
  })
})
