import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { contract, routesOf, pathParametersOf } from '../src/index.ts'

const specified = readFileSync(new URL('specification-calls.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

/** Plain Fastify routes: a redirect, multipart bodies, an archive, the health check. */
const PLAIN_ROUTES = [
  'GET /auth/google',
  'POST /upload/single',
  'POST /upload/profile',
  'POST /upload/submission',
  'GET /users/export',
  'GET /health',
]

/** Not in the specification, documented the same way. */
const BEYOND_SPECIFICATION = [
  'GET /settings',
  'GET /pages/{page}',
  'PUT /admin/pages/{page}',
  'GET /auth/proof-of-work',
  'GET /auth/sessions',
  'DELETE /auth/sessions',
  'DELETE /auth/sessions/{id}',
  'GET /users/export',
  'GET /users/tokens',
  'POST /users/tokens',
  'DELETE /users/tokens/{id}',
  'GET /webhooks',
  'POST /webhooks',
  'PUT /webhooks/{id}',
  'DELETE /webhooks/{id}',
  'POST /webhooks/{id}/secret',
  'POST /webhooks/{id}/ping',
  'GET /webhooks/{id}/deliveries',
  'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver',
  'GET /admin/mails',
  'POST /admin/mails/{id}/retry',
  'PUT /admin/users/{id}/role',
  'GET /admin/audit',
  'GET /teams/standings',
  'GET /teams/leaderboard/history',
]

const routes = routesOf(contract)

interface Schema {
  type?: string
  format?: string
  additionalProperties?: unknown
  anyOf?: Schema[]
}
type MaybeSchema = Schema | null | undefined
const declared = [...routes.map(([, { method, path }]) => `${method} ${path}`), ...PLAIN_ROUTES]

describe('the endpoints of the specification', () => {
  it('number 85', () => expect(new Set(specified).size).toBe(85))
  it('are all declared', () => expect(specified.filter((endpoint) => !declared.includes(endpoint))).toEqual([]))
  it('are declared once', () => expect(new Set(declared).size).toBe(declared.length))
  it('are the only ones, except for the listed additions', () =>
    expect(
      declared.filter((endpoint) => !specified.includes(endpoint) && !BEYOND_SPECIFICATION.includes(endpoint)),
    ).toEqual([]))
})

describe.each(routes)('%s', (_name, route) => {
  it('has schemas that convert to JSON Schema', () => {
    if (route.input) expect(() => z.toJSONSchema(route.input as z.ZodObject, { io: 'input' })).not.toThrow()
    expect(() => z.toJSONSchema(route.output, { io: 'output' })).not.toThrow()
  })
  it('has no secrets in its URL', () => {
    if (route.method !== 'GET') return
    const fields = Object.keys(route.input?.shape ?? {})
    expect(fields.filter((field) => /password|otp|token/i.test(field))).toEqual([])
  })
  it('has its path parameters in the input', () => {
    for (const parameter of pathParametersOf(route.path))
      expect(Object.keys(route.input?.shape ?? {})).toContain(parameter)
  })
  it('has a password field if it requires confirmation', () => {
    if (route.requiresAdminPassword) expect(Object.keys(route.input?.shape ?? {})).toContain('password')
  })
  it('rejects unknown fields if it writes', () => {
    if (route.method === 'GET' || !route.input) return
    const result = route.input.safeParse({ surprise: 1 })
    expect(result.error?.issues.some((issue) => issue.code === 'unrecognized_keys')).toBe(true)
  })
  it('rejects unknown fields in nested objects if it writes', () => {
    if (route.method === 'GET' || !route.input) return
    const described = JSON.stringify(z.toJSONSchema(route.input, { io: 'input' }), (_key, part: MaybeSchema) =>
      part?.type === 'object' && part.additionalProperties !== false ? 'an open object' : part,
    )
    expect(described).not.toContain('an open object')
  })
  it('returns UUIDs as ids', () => {
    const others: string[] = []
    JSON.stringify(z.toJSONSchema(route.output, { io: 'output' }), (key, part: MaybeSchema) => {
      const kinds = part?.anyOf ?? [part]
      if (/^_?id$/.test(key) && !kinds.every((kind) => kind?.type === 'null' || kind?.format === 'uuid'))
        others.push(key)
      return part
    })
    expect(others).toEqual([])
  })
  it('never returns null', () => expect(route.output.safeParse(null).success).toBe(false))
})
