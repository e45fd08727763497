import { afterAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '../src/rest/docs-ui.ts'
import { DOCUMENT_SETTINGS } from './response-checker.ts'
import { openTestServer } from './test-server.ts'

const server = await openTestServer()
afterAll(() => server.close())

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const
const { paths } = openApiDocument(DOCUMENT_SETTINGS) as { paths: Record<string, object> }
const documented = Object.entries(paths).map(([address, item]): [string, string[]] => [
  address,
  Object.keys(item).map((method) => method.toUpperCase()),
])

const send = async (method: (typeof METHODS)[number], address: string) => {
  const { statusCode, headers } = await server.app.inject({ method, url: `/api${address.replace(/\{\w+\}/g, 'x')}` })
  return { status: statusCode, allowed: (headers.allow ?? '').split(', ') }
}

describe('a known path', () => {
  it.each(documented)('%s lists its methods in Allow when requested by another', async (address, methods) => {
    const { status, allowed } = await send('PATCH', address)
    expect([status, allowed.toSorted()]).toEqual([405, allowed])
    expect(allowed.filter((name) => name !== 'HEAD')).toEqual(methods.toSorted())
    // Allow may also list HEAD.
    for (const method of METHODS.filter((name) => !methods.includes(name))) {
      const other = await send(method, address)
      if (allowed.includes(method)) expect([method, other.status]).not.toEqual([method, 405])
      else expect([method, other]).toEqual([method, { status: 405, allowed }])
    }
  })
})
