import type { Route } from '@community/contract'
import { inputSchemaOf, PASSWORD } from '@community/testing'
import type { Call } from '@community/testing/api-client'
import fc from 'fast-check'
import { fromSchema, type FieldOverride } from '@community/testing/from-schema'
import { kindOf, type KnownIds } from './known-ids.ts'

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface FuzzRequest {
  /** Undefined if the procedure has no input. */
  input: unknown
  /** Bytes to send instead of the body. */
  raw?: string
  headers: Record<string, string>
  /** The token: of the procedure's role, of another role, or an invalid one. */
  caller: 'right' | 'other' | 'nobody' | 'garbage'
  /** The kind of damage; undefined for a request that the schema allows. */
  broken?: string
}

/** Mostly an existing id. */
function anyId(ids: string[]): fc.Arbitrary<string> {
  const unknown = fc.uuid({ version: 4 })
  return ids.length === 0
    ? unknown
    : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: unknown })
}

const LINKS = fc.constantFrom('https://example.ma/work', 'https://github.com/atlas-lions/app')
const FUTURE = fc.integer({ min: 1, max: 500 }).map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())

/** Values that a schema cannot express: a password, an existing id, a future deadline. */
function ownValuesOf({ path }: Route, emails: readonly string[], known: KnownIds): FieldOverride {
  const isRegistration = /\/auth\/(register|verify-registration|reset-password)/.test(path)
  const password = fc.constant(isRegistration ? 'Zellige-2026-fuzz' : PASSWORD)
  const isKnownEmail = path.startsWith('/auth') && path !== '/auth/register'
  const ABSENT = fc.constant(undefined)
  const values: Record<string, fc.Arbitrary<unknown>> = {
    password,
    currentPassword: password,
    confirmPassword: password,
    newPassword: fc.constant('Zellige-2026-fuzz'),
    email: isKnownEmail ? fc.constantFrom(...emails) : fc.uuid().map((word) => `${word}@example.ma`),
    cursor: fc.constantFrom(undefined, ...known.of(`cursor ${path}`)),
    deadline: FUTURE,
    ...(/apply|submit/.test(path) && { type: fc.constant('link') }),
    ...Object.fromEntries(['content', 'url', 'github', 'instagram', 'portfolio'].map((field) => [field, LINKS])),
    fileInfo: ABSENT,
    avatarUrl: ABSENT,
    // Mostly true, so that teams can be created.
    enabled: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.boolean() }),
  }
  const [, kindInPath = ''] = /\/([\w-]+)\/\{id\}/.exec(path) ?? []
  return (field, { format }, isNested) => {
    if (format !== 'uuid') return values[field]
    return anyId(known.of(field === 'id' ? (isNested ? 'roles' : kindInPath) : kindOf(field)))
  }
}

const WEIRD: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 31) - 1, '', ' ', [], {}, [[]], [null]),
  fc.constantFrom('\u0000', 'a\u0000b', '\ud800', '\u202ereversed', '\u200b\u200b\u200b'),
  fc.constantFrom("' or 1=1 --", '%00', '../../etc/passwd'),
  fc.constantFrom('x'.repeat(5000), '😀'.repeat(300), 'é'.normalize('NFD').repeat(200), 'ﷺ'.repeat(50)),
  fc.constantFrom('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-13-45', '+275760-09-13T00:00:00.000Z'),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.jsonValue({ maxDepth: 2 }),
)

// biome-ignore format: lists of values
const RAW = fc.constantFrom(
  '', '{', 'null', '[]', '"text"', '{"name":', '{"a":1,"a":2}', '\u0000', '\ufeff{}',
  '{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"x":1}}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`, `{"name":"${'x'.repeat(70_000)}"}`,
)
// biome-ignore format: lists of values
const CONTENT_TYPES = fc.constantFrom(
  'text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x',
  'application/json; charset=utf-16', 'x',
)
// biome-ignore format: lists of values
const WRONG_IDS = fc.constantFrom(
  '0', 'null', 'undefined', '..', '%00', '%ff', '%', 'a b', 'x'.repeat(280), "1'--", '\u202e', 'NaN', '-1',
  '00000000-0000-0000-0000-000000000000',
)

/** The path to each field, at any depth. */
const fieldPathsOf = (input: unknown): string[][] =>
  isFields(input)
    ? Object.entries(input).flatMap(([key, value]) => [[key], ...fieldPathsOf(value).map((path) => [key, ...path])])
    : []

function withField(input: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value
  const fields = isFields(input) ? input : {}
  return { ...fields, [key]: withField(fields[key], rest, value) }
}

/** The ways to break a request to a route, by name. */
function breaksOf(route: Route): Record<string, (request: FuzzRequest) => fc.Arbitrary<Partial<FuzzRequest>>> {
  const words = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => word)
  const anyField = (input: unknown) => {
    const paths = fieldPathsOf(input)
    return fc.constantFrom(...(paths.length > 0 ? paths : [[]]))
  }
  return {
    'a field of another kind': ({ input }) =>
      fc.tuple(anyField(input), WEIRD).map(([path, value]) => ({ input: withField(input, path, value) })),
    'a missing field': ({ input }) => anyField(input).map((path) => ({ input: withField(input, path, undefined) })),
    'a surplus field': ({ input }) => WEIRD.map((value) => ({ input: withField(input, ['surplus'], value) })),
    'another role': () => fc.constantFrom('other', 'nobody', 'garbage').map((caller) => ({ caller })),
    ...(words.length > 0 && {
      'a wrong id': ({ input }) =>
        fc.tuple(WRONG_IDS, fc.constantFrom(...words)).map(([id, word]) => ({ input: withField(input, [word], id) })),
    }),
    ...(route.method !== 'GET' && {
      'other bytes': () => RAW.map((raw) => ({ raw })),
      'another content type': ({ headers }) =>
        CONTENT_TYPES.map((type) => ({ headers: { ...headers, 'content-type': type } })),
      'a wrong key': ({ headers }) =>
        fc
          .constantFrom('', ' ', 'x'.repeat(256), 'a b')
          .map((key) => ({ headers: { ...headers, 'idempotency-key': key } })),
    }),
  }
}

/** Requests to a procedure, half of them broken in one way. */
export function requestsTo(route: Route, emails: readonly string[], known: KnownIds): fc.Arbitrary<FuzzRequest> {
  const input = route.input
    ? fromSchema(inputSchemaOf(route.input), ownValuesOf(route, emails, known))
    : fc.constant(undefined)
  const valid = input.map((validInput): FuzzRequest => ({ input: validInput, headers: {}, caller: 'right' }))
  const broken = fc
    .tuple(valid, fc.constantFrom(...Object.entries(breaksOf(route))))
    .chain(([request, [name, breakIt]]) => breakIt(request).map((change) => ({ ...request, ...change, broken: name })))
  return fc.oneof(valid, broken)
}

/** Without lone surrogates, which JSON and URLs cannot hold. */
const encoded = (value: unknown): string =>
  encodeURIComponent(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString())

/** A request as a client sends it; invalid path parameters are sent unchanged. */
export function callOf(transport: 'REST' | 'tRPC', name: string, route: Route, request: FuzzRequest): Call {
  const { input, raw, headers } = request
  const isQuery = route.method === 'GET'
  if (transport === 'tRPC') {
    const line = `${isQuery ? 'GET' : 'POST'} /trpc/${name}`
    return isQuery ? { line: `${line}?input=${encoded(input ?? {})}`, headers } : { line, body: raw ?? input, headers }
  }
  const fields: Fields = isFields(input) ? { ...input } : {}
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, word: string) => {
    // An empty parameter would change the path.
    const value = String(fields[word]) || '%20'
    delete fields[word]
    return value.startsWith('%') ? value : encoded(value)
  })
  const query = Object.entries(fields).filter(([, value]) => isQuery && value !== undefined)
  const pairs = query.map(([key, value]) => `${key}=${encoded(Array.isArray(value) ? value.join(',') : value)}`)
  const line = `${route.method} ${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
  return isQuery ? { line, headers } : { line, body: raw ?? (isFields(input) ? fields : input), headers }
}
