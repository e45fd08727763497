import fc from 'fast-check'
import type { ApiDocument, Operation, Schema } from './api-document.ts'
import { fromSchema, type Own } from './from-schema.ts'
import { kindOf, type KnownIds } from './known-ids.ts'
import { ADMIN } from '@community/testing/server'

/** Stands for a real id until the request is sent. */
interface RealId {
  realId: string
  turn: number
}
const isRealId = (value: unknown): value is RealId => typeof value === 'object' && value !== null && 'realId' in value

export interface FuzzRequest {
  words: Record<string, unknown>
  query: Record<string, unknown>
  /** Undefined where the operation takes none. */
  body: unknown
  /** Bytes to send instead of the body. */
  raw?: string
  headers: Record<string, string>
  /** Whose token: of the operation's own role, of another, or none that counts. */
  who: 'right' | 'other' | 'nobody' | 'garbage'
  /** What was broken; undefined in one that the document allows. */
  broken?: string
}

const realId = (kind: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.double({ min: 0, max: 0.999, noNaN: true }).map((turn) => ({ realId: kind, turn })) },
    { weight: 1, arbitrary: fc.uuid({ version: 4 }) },
  )

/** The kind of thing that `{id}` is in a path: the word before it. */
const kindInPath = (path: string, word: string): string =>
  word === 'id' ? (/\/([\w-]+)\/\{id\}/.exec(path)?.[1] ?? '') : kindOf(word)

const inFuture = fc.integer({ min: 1, max: 500 }).map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
const links = fc.constantFrom('https://example.ma/work', 'https://github.com/atlas-lions/app')

/** What a schema cannot tell: whose password, which id, a deadline ahead. */
function ownValues({ path, access }: Operation, emails: readonly string[]): Own {
  return (field, { format }) => {
    const isNew = /\/auth\/(register|verify-registration|reset-password)/.test(path)
    if (field === 'password' || field === 'currentPassword' || field === 'confirmPassword')
      return fc.constant(isNew ? 'Zellige-2026-fuzz' : ADMIN.password)
    if (field === 'email' && path.startsWith('/auth') && path !== '/auth/register') return fc.constantFrom(...emails)
    if (field === 'email') return fc.uuid().map((word) => `${word}@example.ma`)
    if (field === 'newPassword') return fc.constant('Zellige-2026-fuzz')
    // Real cursors are drawn by the page they continue.
    if (field === 'cursor') return fc.constantFrom(undefined, { realId: `cursor ${path}`, turn: 0 })
    if (field === 'deadline') return inFuture
    if (field === 'type' && /apply|submit/.test(path)) return fc.constant('link')
    if (['content', 'url', 'github', 'instagram', 'portfolio'].includes(field)) return links
    if (field === 'fileInfo' || field === 'avatarUrl') return fc.constant(undefined)
    // Most of the time teams can be made.
    if (field === 'enabled')
      return fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.boolean() })
    if (format === 'uuid') return realId(field === 'id' ? 'roles' : kindOf(field))
    return access === null ? fc.constant(undefined) : undefined
  }
}

const WEIRD: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 31) - 1, '', ' ', [], {}, [[]], [null]),
  fc.constantFrom(
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202ereversed',
    '\u200b\u200b\u200b',
    "' or 1=1 --",
    '%00',
    '../../etc/passwd',
  ),
  fc.constantFrom('x'.repeat(5000), '😀'.repeat(300), 'é'.normalize('NFD').repeat(200), 'ﷺ'.repeat(50)),
  fc.constantFrom('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-13-45', '+275760-09-13T00:00:00.000Z'),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.jsonValue({ maxDepth: 2 }),
)

const RAW = fc.constantFrom(
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '{"name":',
  '{"a":1,"a":2}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `{"name":"${'x'.repeat(70_000)}"}`,
  '\u0000',
  '\ufeff{}',
)
const TYPES = fc.constantFrom(
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'x',
)
const IDS = fc.constantFrom(
  '0',
  'null',
  'undefined',
  '..',
  '%00',
  '%ff',
  '%',
  'a b',
  'x'.repeat(280),
  '00000000-0000-0000-0000-000000000000',
  "1'--",
  '\u202e',
  'NaN',
  '-1',
)

type Break = (request: FuzzRequest) => fc.Arbitrary<FuzzRequest>
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRealId(value)

/** One field, at some depth, is something else. */
function withField(body: unknown, weird: unknown, turn: number): unknown {
  if (!isObject(body)) return weird
  const keys = Object.keys(body)
  const key = keys[Math.floor(turn * keys.length)]
  if (key === undefined) return { surplus: weird }
  const inner = body[key]
  const isDeeper = isObject(inner) && turn * 10 - Math.floor(turn * 10) < 0.5
  return { ...body, [key]: isDeeper ? withField(inner, weird, turn) : weird }
}

function without(body: unknown, turn: number): unknown {
  if (!isObject(body)) return undefined
  const keys = Object.keys(body)
  const { [keys[Math.floor(turn * keys.length)] ?? '']: _gone, ...rest } = body
  return rest
}

const TURN = fc.double({ min: 0, max: 0.999, noNaN: true })

const BREAKS: Record<string, Break> = {
  'a field of another kind': (request) =>
    fc.tuple(WEIRD, TURN).map(([weird, turn]) => ({ ...request, body: withField(request.body, weird, turn) })),
  'a missing field': (request) => TURN.map((turn) => ({ ...request, body: without(request.body, turn) })),
  'a surplus field': (request) =>
    WEIRD.map((weird) => ({ ...request, body: { ...(isObject(request.body) ? request.body : {}), surplus: weird } })),
  'other bytes': (request) => RAW.map((raw) => ({ ...request, raw })),
  'another content type': (request) =>
    TYPES.map((type) => ({ ...request, headers: { ...request.headers, 'content-type': type } })),
  'a wrong id': (request) =>
    fc
      .tuple(IDS, TURN)
      .map(([id, turn]) => ({ ...request, words: withField(request.words, id, turn) as Record<string, unknown> })),
  'a wrong query': (request) =>
    fc.tuple(WEIRD, TURN).map(([weird, turn]) => ({
      ...request,
      query: withField(request.query, weird, turn) as Record<string, unknown>,
    })),
  'another role': (request) =>
    fc.constantFrom('other', 'nobody', 'garbage').map((who) => ({ ...request, who: who as FuzzRequest['who'] })),
  'a wrong key': (request) =>
    fc
      .constantFrom('', ' ', 'x'.repeat(256), 'a b')
      .map((key) => ({ ...request, headers: { ...request.headers, 'idempotency-key': key } })),
}

/** Requests to an operation, half of them broken in one way. */
export function requestsTo(
  document: ApiDocument,
  operation: Operation,
  emails: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const own = ownValues(operation, emails)
  const { parameters = [], requestBody, path, method } = operation
  const valuesOf = (place: 'path' | 'query') =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((one) => one.in === place)
          .map(({ name, schema }) => [
            name,
            place === 'path' && isId(schema) ? realId(kindInPath(path, name)) : fromSchema(document, schema, own, name),
          ]),
      ),
      {
        requiredKeys: parameters
          .filter((one) => one.in === place && (place === 'path' || one.required))
          .map(({ name }) => name),
      },
    )
  const schema = requestBody?.content['application/json']?.schema
  const valid: fc.Arbitrary<FuzzRequest> = fc.record({
    words: valuesOf('path'),
    query: valuesOf('query'),
    body: schema ? fromSchema(document, schema, own) : fc.constant(undefined),
    headers: fc.constant({}),
    who: fc.constant<FuzzRequest['who']>('right'),
  })
  const possible = Object.entries(BREAKS).filter(([name]) => {
    if (name === 'a wrong id') return path.includes('{')
    if (name === 'a wrong query' || name === 'another role') return true
    return method !== 'GET'
  })
  const broken = fc
    .tuple(valid, fc.constantFrom(...possible))
    .chain(([request, [name, breakIt]]) => breakIt(request).map((one) => ({ ...one, broken: name })))
  return fc.oneof(valid, broken)
}

const isId = ({ format }: Schema) => format === 'uuid'

const UNKNOWN = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'

/** The same value with real ids in place of what stands for them. */
export function withRealIds(value: unknown, known: KnownIds): unknown {
  if (isRealId(value))
    return known.pick(value.realId, value.turn) ?? (value.realId.startsWith('cursor') ? undefined : UNKNOWN)
  if (Array.isArray(value)) return value.map((one) => withRealIds(one, known))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withRealIds(inner, known)]))
}
