import { contract, appErrors, routesOf } from '@community/contract'
import { afterAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '../src/rest/docs-ui.ts'
import { fastifyPath } from '../src/rest/routes.ts'
import { DOCUMENT_SETTINGS } from './response-checker.ts'
import { openTestServer } from './test-server.ts'

interface Operation {
  description?: string
  operationId: string
  tags: string[]
  parameters?: {
    name: string
    in: string
    required?: boolean
    description?: string
    example?: unknown
    schema: { example?: unknown; examples?: unknown }
  }[]
  security?: object[]
  responses: Record<
    string,
    {
      content?: Record<string, { example?: unknown; examples?: Record<string, { summary: string; value: unknown }> }>
    }
  >
  requestBody?: { content: Record<string, { example?: unknown }> }
}
interface Document {
  info: { description: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
}

const document = openApiDocument(DOCUMENT_SETTINGS) as Document
const METHODS = ['get', 'post', 'put', 'delete']
const operations = Object.entries(document.paths).flatMap(([address, item]) =>
  Object.entries(item)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, operation]) => ({ method: method.toUpperCase(), address, operation })),
)
const routes = routesOf(contract).map(([, route]) => route)

const server = await openTestServer()
afterAll(() => server.close())

describe('the OpenAPI document', () => {
  it('equals what the server serves', async () => {
    const served = await server.app.inject('/api/openapi.json')
    expect(served.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(server.deps.config))))
  })

  it('has the product’s name as its title, and APP_URL as its server', () => {
    expect(openApiDocument({ ...DOCUMENT_SETTINGS, appName: 'Atlas', appUrl: 'https://atlas.example' })).toMatchObject({
      info: { title: 'Atlas API' },
      servers: [{ url: 'https://atlas.example/api' }],
    })
  })

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'documents %s, which the server serves',
    (_line, route) => {
      expect(document.paths[route.path]?.[route.method.toLowerCase()]).toBeDefined()
      expect(server.app.hasRoute({ method: route.method, url: `/api${fastifyPath(route.path)}` })).toBe(true)
    },
  )

  it('documents nothing that the server does not serve', () => {
    const unserved = operations.filter(({ method, address }) => {
      const url = fastifyPath(address)
      const isServed = [`/api${url}`, url].some((candidate) => server.app.hasRoute({ method, url: candidate }))
      // The route of files has an optional name, which the document requires.
      return !isServed && !address.startsWith('/files/')
    })
    expect(unserved.map(({ method, address }) => `${method} ${address}`)).toEqual([])
  })

  it('documents a success and a failure of every operation', () => {
    const without = (family: string) =>
      operations
        .filter(({ operation }) => !Object.keys(operation.responses).some((status) => status.startsWith(family)))
        .map(({ method, address }) => `${method} ${address}`)
    // It redirects browsers.
    expect(without('2')).toEqual(['GET /auth/google'])
    expect(without('4')).toEqual([])
  })

  it('explains the tag of every operation', () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags))
    expect([...used].toSorted()).toEqual(document.tags.map(({ name }) => name).toSorted())
  })

  it('has an example of every success', () => {
    const withoutExample = operations.filter(({ operation }) =>
      Object.entries(operation.responses).some(([status, { content }]) => {
        const text = content?.['application/json'] ?? content?.['text/csv'] ?? content?.['text/event-stream']
        return status.startsWith('2') && text !== undefined && text.example === undefined
      }),
    )
    expect(withoutExample.map(({ method, address }) => `${method} ${address}`)).toEqual([])
  })

  it('has no example of an optional filter, which “Try it out” would send', () => {
    const filters = operations
      .flatMap(({ operation }) => operation.parameters ?? [])
      .filter(({ required }) => !required)
    expect(filters.filter(({ example, schema }) => example ?? schema.example ?? schema.examples)).toEqual([])
  })

  it('has an example of every request', () => {
    const withoutExample = operations.flatMap(({ method, address, operation }) =>
      Object.values(operation.requestBody?.content ?? {})
        .filter(({ example }) => example === undefined)
        .map(() => `${method} ${address}`),
    )
    expect(withoutExample).toEqual([])
  })

  it('documents 500 and 503 of every operation', () => {
    const undocumented = operations.filter(
      ({ operation }) => !operation.responses['500'] || !operation.responses['503'],
    )
    expect(undocumented.map(({ method, address }) => `${method} ${address}`)).toEqual([])
  })

  it('documents 429 of every operation but the health checks, and 413 and 415 of every body', () => {
    const without = (status: string, all = operations) =>
      all.filter(({ operation }) => !operation.responses[status]).map(({ method, address }) => `${method} ${address}`)
    expect(without('429')).toEqual(['GET /health', 'GET /health/live'])
    const withBody = operations.filter(({ operation }) => operation.requestBody)
    expect([without('413', withBody), without('415', withBody)]).toEqual([[], []])
  })

  it('documents which cached reads have an ETag and a lower cost without a token only', () => {
    const withEtag = operations.filter(({ operation }) => operation.responses['304'])
    const cached = routes.filter(({ cached }) => cached).map(({ path }) => path)
    expect(cached.filter((path) => !withEtag.some(({ address }) => address === path))).toEqual([])
    for (const { path, cached } of routes.filter((route) => route.cached)) {
      const { description, parameters } = document.paths[path]?.['get'] ?? {}
      const words = [description, parameters?.find(({ name }) => name === 'If-None-Match')?.description]
      expect([path, words.map((text) => /with(?:out)? a token/.test(text ?? ''))]).toEqual([
        path,
        [cached === 'for visitors', cached === 'for visitors'],
      ])
    }
  })

  it('documents that an account may be banned during its upload', () => {
    const uploads = operations.filter(({ address }) => address.startsWith('/upload/'))
    const codes = uploads.map(({ operation }) =>
      Object.values(operation.responses['403']?.content?.['application/json']?.examples ?? {}).map(
        ({ summary }) => summary,
      ),
    )
    expect(codes).toEqual(uploads.map(() => expect.arrayContaining(['BANNED'])))
  })

  it('has no limit that is only JavaScript’s', () => {
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER))
  })

  it('has examples of failures as the server sends them', () => {
    const failureOf = (method: string, address: string, status: number, name: string) =>
      document.paths[address]?.[method]?.responses[status]?.content?.['application/json']?.examples?.[name]?.value
    expect(failureOf('get', '/teams/{id}', 400, 'validation')).toMatchObject({
      errors: [{ path: 'id', code: 'INVALID_FORMAT' }],
    })
    expect(failureOf('post', '/admin/cleanup-teams', 400, 'validation')).toMatchObject({
      errors: [{ path: 'nickname', code: 'UNKNOWN_FIELD' }],
    })
    expect(failureOf('post', '/upload/single', 400, 'validation')).toMatchObject({ message: 'The form is malformed' })
    expect(failureOf('post', '/upload/single', 415, 'wrongContentType')).toMatchObject({
      message: 'Send the file as multipart/form-data',
    })
    expect(failureOf('post', '/auth/resend-otp', 429, 'codeTooSoon')).toMatchObject({ cooldown: 240 })
  })

  it('explains every error code and states every limit as a number', () => {
    const codes = Object.values(appErrors).flatMap((error) =>
      typeof error === 'object' && 'code' in error ? [error.code] : [],
    )
    const { description } = document.info
    expect(codes.filter((code) => !description.includes(`| \`${code}\` |`))).toEqual([])
    expect(description).not.toMatch(/undefined|NaN|\[object/)
    for (const limit of [
      '1200 units of a signed-in user',
      '120 in 15 minutes',
      '60 pings',
      '5 of a code, 20 a day',
      '4 of a signed-in user',
      '300 an hour',
      '10 a day from an IP address, 20 in total',
      '1,000 in 15 minutes, 300 of them wrong',
      '20 files, 200 MiB',
      '10 of a signed-in user, 200 of an IP address',
    ])
      expect(description).toContain(limit)
  })

  it('does not advise to repeat a write that may have taken effect', () => {
    expect(document.info.description).toMatch(/\| `UNAVAILABLE` \| 503 \|.*check its result first/)
  })

  it('advises only operations that it documents', () => {
    const table = document.info.description.split('\n').filter((line) => line.startsWith('| `'))
    const advised = table.flatMap((line) => Array.from(line.matchAll(/`([A-Z]+) (\/[^`]*)`/g)))
    expect(advised.map(([, , address = '']) => address)).toContain('/submissions/{id}/reset-evaluation')
    for (const [, method = '', address = ''] of advised)
      expect([address, Object.keys(document.paths[address] ?? {})]).toEqual([
        address,
        expect.arrayContaining([method.toLowerCase()]),
      ])
  })

  it('documents 400 for every mutation', () => {
    const undocumented = routes.filter(
      ({ method, path: address }) =>
        method !== 'GET' && !document.paths[address]?.[method.toLowerCase()]?.responses['400'],
    )
    expect(undocumented.map(({ method, path: address }) => `${method} ${address}`)).toEqual([])
  })

  it('says of each e-mail address and link of a request what its pattern accepts', () => {
    const described = (value: unknown): [string, string][] => {
      if (typeof value !== 'object' || value === null) return []
      const { pattern, description } = value as { pattern?: unknown; description?: unknown }
      const own: [string, string][] = typeof pattern === 'string' ? [[pattern, String(description)]] : []
      return [...own, ...Object.values(value).flatMap(described)]
    }
    const fields = operations.flatMap(({ operation }) => described(operation.requestBody))
    const ofPattern = (start: RegExp) => fields.filter(([pattern]) => start.test(pattern)).map(([, text]) => text)
    const [emails, links] = [ofPattern(/\]\+@/), ofPattern(/https\?:\/\/\(\?:\(\?:/)]
    expect([emails.length, links.length]).toEqual([13, 18])
    for (const text of [...emails, ...links]) expect(text).toContain('`xn--…`')
    expect(emails.filter((text) => text.includes('without `?`, `&` and `%`'))).toHaveLength(3)
    expect(links).toContainEqual(expect.stringMatching(/^Where events are sent.*\. An http or https URL/))
  })

  it('has unique operation ids and no secrets in paths or queries', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const inAddresses = operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header').map((parameter) => parameter.name),
    )
    expect(inAddresses.filter((name) => /password|otp|token/i.test(name))).toEqual([])
  })

  it('documents every error code of every operation', () => {
    const documented = new Map<string, number>()
    for (const { operation } of operations)
      for (const [status, { content }] of Object.entries(operation.responses))
        for (const { summary } of Object.values(content?.['application/json']?.examples ?? {}))
          documented.set(summary, Number(status))
    for (const route of routes)
      for (const error of Object.values(route.errors)) expect(documented.get(error.code)).toBe(error.status)
    const codes = Object.values(appErrors).flatMap((error) =>
      typeof error === 'object' && 'code' in error ? [error.code] : [],
    )
    expect(new Set(codes).size).toBe(codes.length)
  })
})

describe('Swagger UI', () => {
  it('has a CSP that allows no inline or third-party script', async () => {
    const page = await server.app.inject('/api/docs/')
    expect(page.statusCode).toBe(200)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain("script-src 'self' 'unsafe-inline'")
  })
})
