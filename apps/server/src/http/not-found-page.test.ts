import { LANGUAGES } from '@community/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'

const server = await openTestServer()
afterAll(() => server.close())

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const visit = (url: string, language = 'en', method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  server.app.inject({ method, url, headers: { accept: BROWSER, 'accept-language': language } })

const HEADINGS = { en: 'Page not found', fr: 'Page introuvable', ar: 'الصفحة غير موجودة' }

describe('an address that leads nowhere', () => {
  it.each(LANGUAGES)('shows a page in the language %s with a link home', async (language) => {
    const { statusCode, headers, body } = await visit('/challenges', language)
    expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(body).toContain(`<html lang="${language}"`)
    expect(body).toContain(`<h1>${HEADINGS[language]}</h1>`)
    expect(body).toContain('<a href="/"')
  })

  it.each(['/files/0123456789abcdef0123456789abcdef/work.pdf', '/files/x/thumbnails/y', '/assets/old.js', '/api-docs'])(
    'shows the page at %s',
    async (url) => {
      const { statusCode, body } = await visit(url)
      expect([statusCode, body.includes(HEADINGS.en)]).toEqual([404, true])
    },
  )

  it('sends no body to HEAD', async () => {
    const { statusCode, headers, body } = await visit('/nope', 'en', 'HEAD')
    expect([statusCode, headers['content-type'], body]).toEqual([404, 'text/html; charset=utf-8', ''])
  })

  it.each([
    ['GET', '/api/nope'],
    ['GET', '/api'],
    ['GET', '/trpc/no.such'],
    ['POST', '/nope'],
  ] as const)('answers JSON to %s %s', async (method, url) => {
    const { statusCode, headers, body } = await visit(url, 'en', method)
    expect([statusCode, headers['content-type']]).toEqual([404, expect.stringContaining('application/json')])
    expect(body).toContain('"code":"NOT_FOUND"')
  })

  it('answers JSON to a client that does not ask for a page', async () => {
    const { body } = await server.app.inject({ url: '/nope', headers: { accept: 'application/json, */*' } })
    expect(JSON.parse(body)).toMatchObject({ code: 'NOT_FOUND' })
  })
})
