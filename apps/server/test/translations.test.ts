import { readFile, writeFile } from 'node:fs/promises'
import { appErrors } from '@community/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { AppError } from '../src/errors.ts'
import { toFailure } from '../src/http/failure.ts'
import { translateFailure } from '../src/http/translate-failure.ts'
import { openTestServer } from './test-server.ts'

const TRANSLATIONS_FILE = new URL('../src/http/translations.json', import.meta.url)
const WEB_SRC = new URL('../../web/src/', import.meta.url)

/** All messages of the server: those of the error catalogue, and those that the web app lists in modules that only Vite can import. */
async function serverTexts(): Promise<string[]> {
  const lists = ['lib/server-texts.ts', 'lib/api-texts.ts'].map((file) => readFile(new URL(file, WEB_SRC), 'utf8'))
  const list = (await Promise.all(lists)).join('\n')
  const literals = Array.from(list.matchAll(/msg\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/g), ([, single, double]) =>
    (single ?? double ?? '').replaceAll("\\'", "'"),
  )
  const messages = Object.values(appErrors).flatMap((error) =>
    'message' in error ? [error.template ?? error.message] : [],
  )
  return [...new Set([...messages, ...literals])]
}

async function readPoFile(language: string): Promise<Map<string, string>> {
  const text = await readFile(new URL(`locales/${language}.po`, WEB_SRC), 'utf8')
  const entries = text.matchAll(/^msgid ("(?:.*)"(?:\n".*")*)\nmsgstr ("(?:.*)"(?:\n".*")*)$/gm)
  const unquoted = (lines = '') =>
    lines
      .split('\n')
      .map((line) => JSON.parse(line) as string)
      .join('')
  return new Map(Array.from(entries, ([, id, translation]) => [unquoted(id), unquoted(translation)]))
}

const server = await openTestServer()
afterAll(() => server.close())

const failureIn = async (language: string | undefined, route: `${'GET' | 'POST'} ${string}`) =>
  (await server.rest()(route, undefined, language === undefined ? {} : { 'accept-language': language })).body

describe('the language of error messages', () => {
  // Run with UPDATE_TRANSLATIONS=1 to rewrite the file.
  it('uses the translations of the web app’s catalogs', async () => {
    const texts = (await serverTexts()).toSorted()
    expect(texts.length).toBeGreaterThan(200)
    const translations: Record<string, Record<string, string | undefined>> = {}
    for (const language of ['fr', 'ar']) {
      const catalog = await readPoFile(language)
      translations[language] = Object.fromEntries(texts.map((text) => [text, catalog.get(text)]))
      expect(texts.filter((text) => !catalog.get(text))).toEqual([])
    }
    if (process.env['UPDATE_TRANSLATIONS'])
      await writeFile(TRANSLATIONS_FILE, `${JSON.stringify(translations, null, 2)}\n`)
    expect(translations).toEqual(JSON.parse(await readFile(TRANSLATIONS_FILE, 'utf8')))
  })

  it.each([undefined, '*', 'en', 'en-GB,fr;q=0.5', 'de'])(
    'is English over REST for Accept-Language: %s',
    async (language) => {
      expect(await failureIn(language, 'GET /users/profile')).toMatchObject({ message: appErrors.notSignedIn.message })
    },
  )

  it('follows Accept-Language over REST, with the same codes, templates and params', async () => {
    const french = await failureIn('fr-MA,fr;q=0.9,en;q=0.8', 'GET /users/profile')
    expect(french).toMatchObject({ code: 'NOT_SIGNED_IN', message: 'Connectez-vous' })
    const [english, arabic] = [
      await failureIn('en', 'GET /teams?limit=0&sort=x'),
      await failureIn('ar', 'GET /teams?limit=0&sort=x'),
    ]
    expect(arabic.message).not.toBe(english.message)
    expect(arabic.code).toBe(english.code)
    const withoutText = ({ errors }: typeof english) => errors?.map(({ msg: _text, ...rest }) => rest)
    expect(withoutText(arabic)).toEqual(withoutText(english))
    expect(arabic.message).toBe(arabic.errors?.map(({ msg }) => msg).join('، '))
  })

  it.each([
    ['an unknown address', { url: '/api/nothing' }, 'Introuvable'],
    ['an unknown page of the documentation', { url: '/api/docs/nothing' }, 'Introuvable'],
    ['a malformed URL', { url: '/api/%zz' }, 'La requête est mal formée'],
    [
      'a page out of range',
      { url: '/api/teams?limit=0&page=0' },
      'page doit valoir au moins 1, limit doit valoir au moins 1',
    ],
    [
      'an unknown topic',
      { url: '/api/events?topics=x' },
      'Doit être l’une de ces valeurs\u202f: notifications, team, submissions, teams, leaderboard, challenges',
    ],
    ['another method', { url: '/api/roles', method: 'DELETE' as const }, 'Cette URL n’accepte pas cette méthode'],
  ])('follows Accept-Language for %s', async (_name, request, message) => {
    const response = await server.app.inject({ ...request, headers: { 'accept-language': 'fr' } })
    expect(response.json()).toMatchObject({ message })
  })

  it('puts the limit of an error into its translation', () => {
    const { body } = toFailure(new AppError(appErrors.tooManyFiles))
    expect(body).toMatchObject({ message: 'At most 5 files', template: 'At most {n} files', params: { n: 5 } })
    const french = '5 fichiers au maximum'
    expect(translateFailure(body, 'fr')).toMatchObject({ message: french, errors: [{ msg: french, path: 'files' }] })
  })

  it('is English over tRPC, whose clients translate by the English text', async () => {
    const response = await server.app.inject({ url: '/trpc/users.profile', headers: { 'accept-language': 'fr' } })
    expect(response.json<{ error: { message: string } }>().error.message).toBe('Please sign in')
  })
})
