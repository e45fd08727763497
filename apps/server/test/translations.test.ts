import { readFile, writeFile } from 'node:fs/promises'
import { appErrors } from '@community/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from './test-server.ts'

const FILE = new URL('../src/http/translations.json', import.meta.url)
const WEB = new URL('../../web/src/', import.meta.url)

/** The texts of the server and the contract that people see: those of the error catalogue, and those that the web app lists. */
async function serverTexts(): Promise<string[]> {
  const list = await readFile(new URL('lib/server-texts.ts', WEB), 'utf8')
  const literals = Array.from(list.matchAll(/msg\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/g), ([, single, double]) =>
    (single ?? double ?? '').replaceAll("\\'", "'"),
  )
  const messages = Object.values(appErrors).flatMap((error) => ('message' in error ? [error.message] : []))
  return [...new Set([...messages, ...literals])]
}

/** The entries of a catalog in the format of gettext. */
async function catalogOf(language: string): Promise<Map<string, string>> {
  const text = await readFile(new URL(`locales/${language}.po`, WEB), 'utf8')
  const entries = text.matchAll(/^msgid ("(?:.*)"(?:\n".*")*)\nmsgstr ("(?:.*)"(?:\n".*")*)$/gm)
  const unquoted = (lines = '') =>
    lines
      .split('\n')
      .map((line) => JSON.parse(line) as string)
      .join('')
  return new Map(Array.from(entries, ([, id, translation]) => [unquoted(id), unquoted(translation)]))
}

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())

const failureIn = async (language: string | undefined, line: `${'GET' | 'POST'} ${string}`, body?: object) =>
  (await server.rest()(line, body, language === undefined ? {} : { 'accept-language': language })).body

describe('failures follow Accept-Language over REST', () => {
  it('by the web app’s translations; UPDATE_TRANSLATIONS=1 copies them', async () => {
    const texts = (await serverTexts()).toSorted()
    expect(texts.length).toBeGreaterThan(200)
    const translations: Record<string, Record<string, string | undefined>> = {}
    for (const language of ['fr', 'ar']) {
      const catalog = await catalogOf(language)
      translations[language] = Object.fromEntries(texts.map((text) => [text, catalog.get(text)]))
      expect(texts.filter((text) => !catalog.get(text))).toEqual([])
    }
    if (process.env['UPDATE_TRANSLATIONS']) await writeFile(FILE, `${JSON.stringify(translations, null, 2)}\n`)
    expect(translations).toEqual(JSON.parse(await readFile(FILE, 'utf8')))
  })

  it.each([undefined, '*', 'en', 'en-GB,fr;q=0.5', 'de'])('in English for %s', async (language) => {
    expect(await failureIn(language, 'GET /users/profile')).toMatchObject({ message: appErrors.notSignedIn.message })
  })

  it('in French and Arabic, with the same code, template and params', async () => {
    const french = await failureIn('fr-MA,fr;q=0.9,en;q=0.8', 'GET /users/profile')
    expect(french).toMatchObject({ code: 'NOT_SIGNED_IN', message: 'Connectez-vous' })
    const [english, arabic] = [
      await failureIn('en', 'GET /teams?limit=0&sort=x'),
      await failureIn('ar', 'GET /teams?limit=0&sort=x'),
    ]
    expect(arabic.message).not.toBe(english.message)
    const facts = ({ errors }: typeof english) => errors?.map(({ msg: _text, ...rest }) => rest)
    expect(facts(arabic)).toEqual(facts(english))
    expect(arabic.message).toBe(arabic.errors?.map(({ msg }) => msg).join(', '))
  })

  it('not over tRPC, whose clients translate by the English text', async () => {
    const response = await server.app.inject({ url: '/trpc/users.profile', headers: { 'accept-language': 'fr' } })
    expect(response.json<{ error: { message: string } }>().error.message).toBe('Please sign in')
  })
})
