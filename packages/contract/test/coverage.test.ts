import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { contract, routesOf, pathParametersOf } from '../src/index.ts'

/** One `METHOD /path` per line. */
const specifiedEndpoints = readFileSync(new URL('specification-calls.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')

/** The plain Fastify routes of the specification: a redirect, multipart bodies, the health check. */
const PLAIN_ROUTES = [
  'GET /auth/google',
  'POST /upload/single',
  'POST /upload/profile',
  'POST /upload/submission',
  'GET /health',
]

/** The plain Fastify routes that the specification does not have. */
const PLAIN_ADDITIONS = [
  'GET /health/live',
  'GET /users/export',
  'GET /admin/export/{table}.csv',
  'POST /admin/export',
  'PUT /admin/import/{id}/parts/{part}',
  'GET /events',
]

const routes = routesOf(contract)

interface Schema {
  type?: string
  format?: string
  additionalProperties?: unknown
  anyOf?: Schema[]
}
type MaybeSchema = Schema | null | undefined
const declaredEndpoints = [...routes.map(([, { method, path }]) => `${method} ${path}`), ...PLAIN_ROUTES]

it('only routes for visitors ignore tokens: the checks of access and scope are skipped with them', () => {
  const ignoring = routes.filter(([, { ignoresToken }]) => ignoresToken !== false)
  expect(ignoring.length).toBeGreaterThan(0)
  expect(ignoring.filter(([, { access }]) => access !== 'visitor').map(([name]) => name)).toEqual([])
})

describe('the endpoints of the specification', () => {
  it('number 85', () => expect(new Set(specifiedEndpoints).size).toBe(85))
  it('are all declared', () =>
    expect(specifiedEndpoints.filter((endpoint) => !declaredEndpoints.includes(endpoint))).toEqual([]))
  it('are declared once', () => expect(new Set(declaredEndpoints).size).toBe(declaredEndpoints.length))
  it('are the only ones, except for those declared as additions', () => {
    const additions = routes.filter(([, { beyondSpecification }]) => beyondSpecification)
    expect(declaredEndpoints.filter((endpoint) => !specifiedEndpoints.includes(endpoint))).toEqual(
      additions.map(([, { method, path }]) => `${method} ${path}`),
    )
  })
})

it('lists the additional endpoints in docs/api.md', () => {
  const guide = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  const table = /## Additional endpoints\n([^]*?)\n## /.exec(guide)?.[1] ?? ''
  // `GET`, `POST /webhooks` names two endpoints.
  const listed = [...table.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell = '']) => {
    const names = [...cell.matchAll(/`([A-Z]+)(?: (\/[^`]+))?`/g)]
    return names.map(([, method, path], index) => {
      const next = names.slice(index).find(([, , nextPath]) => nextPath !== undefined)
      return `${method} ${path ?? next?.[2]}`
    })
  })
  const additions = routes.filter(([, { beyondSpecification }]) => beyondSpecification)
  expect(listed.toSorted()).toEqual(
    [...additions.map(([, { method, path }]) => `${method} ${path}`), ...PLAIN_ADDITIONS].toSorted(),
  )
})

/** The target of an audit entry, by the first of these path segments that the path contains. */
const TARGETS = Object.entries({
  'cleanup-teams': 'team',
  import: 'import',
  ban: 'user',
  unban: 'user',
  warnings: 'user',
  pages: 'settings',
  teams: 'team',
  announcements: 'announcement',
  challenges: 'challenge',
  submissions: 'submission',
  users: 'user',
  mails: 'mail',
  roles: 'role',
  webhooks: 'webhook',
  blacklist: 'blacklist',
  settings: 'settings',
})

describe.each(routes)('%s', (name, route) => {
  it('has the audit target that its path names', () => {
    if (route.audits === null) return
    const segments = route.path.split('/')
    expect(route.audits).toBe(TARGETS.find(([segment]) => segments.includes(segment))?.[1])
  })
  it('is audited if it is a write for administrators', () => {
    if (route.access !== 'admin' || route.method === 'GET') return
    // Checking a password changes nothing.
    if (name === 'admin.verifyPassword') expect(route.audits).toBeNull()
    else expect(route.audits).not.toBeNull()
  })
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
    const jsonSchema = JSON.stringify(z.toJSONSchema(route.input, { io: 'input' }), (_key, part: MaybeSchema) =>
      part?.type === 'object' && part.additionalProperties !== false ? 'an open object' : part,
    )
    expect(jsonSchema).not.toContain('an open object')
  })
  it('returns UUIDs as ids', () => {
    const invalidIds: string[] = []
    JSON.stringify(z.toJSONSchema(route.output, { io: 'output' }), (key, part: MaybeSchema) => {
      const kinds = part?.anyOf ?? [part]
      if (/^_?id$/.test(key) && !kinds.every((kind) => kind?.type === 'null' || kind?.format === 'uuid'))
        invalidIds.push(key)
      return part
    })
    expect(invalidIds).toEqual([])
  })
  it('never returns null', () => expect(route.output.safeParse(null).success).toBe(false))
})
