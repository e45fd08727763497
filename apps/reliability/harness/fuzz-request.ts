import type { Route } from '@community/contract'
import { inputSchemaOf, PASSWORD } from '@community/testing'
import type { Call } from '@community/testing/api-client'
import fc from 'fast-check'
import { fromSchema, type OwnValue } from './from-schema.ts'
import { kindOf, type KnownIds } from './known-ids.ts'

/** Stands for a real id until the request is sent. */
interface RealId {
  realId: string
  turn: number
}
const isRealId = (value: unknown): value is RealId => typeof value === 'object' && value !== null && 'realId' in value

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRealId(value)

export interface FuzzRequest {
  /** Undefined where the procedure takes none. */
  input: unknown
  /** Bytes to send instead of the body. */
  raw?: string
  headers: Record<string, string>
  /** Whose token: of the procedure's own role, of another, or none that counts. */
  caller: 'right' | 'other' | 'nobody' | 'garbage'
  /** What was broken; undefined in one that the schema allows. */
  broken?: string
}

const TURN = fc.double({ min: 0, max: 0.999, noNaN: true })

const realId = (kind: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 9, arbitrary: TURN.map((turn) => ({ realId: kind, turn })) },
    { weight: 1, arbitrary: fc.uuid({ version: 4 }) },
  )

const LINKS = fc.constantFrom('https://example.ma/work', 'https://github.com/atlas-lions/app')
const FUTURE = fc.integer({ min: 1, max: 500 }).map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())

/** What a schema cannot tell: whose password, which id, a deadline ahead. */
function ownValuesOf({ path }: Route, emails: readonly string[]): OwnValue {
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
    // Real cursors are drawn by the page they continue.
    cursor: fc.constantFrom(undefined, { realId: `cursor ${path}`, turn: 0 }),
    deadline: FUTURE,
    ...(/apply|submit/.test(path) && { type: fc.constant('link') }),
    ...Object.fromEntries(['content', 'url', 'github', 'instagram', 'portfolio'].map((field) => [field, LINKS])),
    fileInfo: ABSENT,
    avatarUrl: ABSENT,
    // Most of the time teams can be created.
    enabled: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.boolean() }),
  }
  const [, kindInPath = ''] = /\/([\w-]+)\/\{id\}/.exec(path) ?? []
  return (field, { format }, isNested) => {
    if (format !== 'uuid') return values[field]
    return realId(field === 'id' ? (isNested ? 'roles' : kindInPath) : kindOf(field))
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

/** One field, at some depth, is something else. */
function withField(input: unknown, value: unknown, turn: number): unknown {
  if (!isFields(input)) return value
  const keys = Object.keys(input)
  const key = keys[Math.floor(turn * keys.length)]
  if (key === undefined) return { surplus: value }
  const isDeeper = isFields(input[key]) && turn * 10 - Math.floor(turn * 10) < 0.5
  return { ...input, [key]: isDeeper ? withField(input[key], value, turn) : value }
}

function withoutField(input: unknown, turn: number): unknown {
  if (!isFields(input)) return undefined
  const keys = Object.keys(input)
  const { [keys[Math.floor(turn * keys.length)] ?? '']: _gone, ...rest } = input
  return rest
}

const pathWordsOf = ({ path }: Route): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => word)

/** The ways to break a request to a route, by name. */
function breaksOf(route: Route): Record<string, (request: FuzzRequest) => fc.Arbitrary<Partial<FuzzRequest>>> {
  const words = pathWordsOf(route)
  return {
    'a field of another kind': ({ input }) =>
      fc.tuple(WEIRD, TURN).map(([value, turn]) => ({ input: withField(input, value, turn) })),
    'a missing field': ({ input }) => TURN.map((turn) => ({ input: withoutField(input, turn) })),
    'a surplus field': ({ input }) =>
      WEIRD.map((surplus) => ({ input: { ...(isFields(input) ? input : {}), surplus } })),
    'another role': () => fc.constantFrom('other', 'nobody', 'garbage').map((caller) => ({ caller })),
    ...(words.length > 0 && {
      'a wrong id': ({ input }) =>
        fc
          .tuple(WRONG_IDS, fc.constantFrom(...words))
          .map(([id, word]) => ({ input: { ...(input as Fields), [word]: id } })),
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
export function requestsTo(route: Route, emails: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const input = route.input
    ? fromSchema(inputSchemaOf(route.input), ownValuesOf(route, emails))
    : fc.constant(undefined)
  const valid = input.map((given): FuzzRequest => ({ input: given, headers: {}, caller: 'right' }))
  const broken = fc
    .tuple(valid, fc.constantFrom(...Object.entries(breaksOf(route))))
    .chain(([request, [name, breakIt]]) => breakIt(request).map((change) => ({ ...request, ...change, broken: name })))
  return fc.oneof(valid, broken)
}

const UNKNOWN = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'

/** The same value with real ids in place of what stands for them. */
function withRealIds(value: unknown, known: KnownIds): unknown {
  if (isRealId(value))
    return known.pick(value.realId, value.turn) ?? (value.realId.startsWith('cursor') ? undefined : UNKNOWN)
  if (Array.isArray(value)) return value.map((one) => withRealIds(one, known))
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withRealIds(inner, known)]))
}

/** As JSON and URLs can hold it: a lone surrogate cannot be sent. */
const encoded = (value: unknown): string =>
  encodeURIComponent(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString())

/** A request as a client sends it: broken words of the path go out as they are. */
export function callOf(
  transport: 'REST' | 'tRPC',
  name: string,
  route: Route,
  request: FuzzRequest,
  known: KnownIds,
): Call {
  const { raw, headers } = request
  const input = withRealIds(request.input, known)
  const isQuery = route.method === 'GET'
  if (transport === 'tRPC') {
    const line = `${isQuery ? 'GET' : 'POST'} /trpc/${name}`
    return isQuery ? { line: `${line}?input=${encoded(input ?? {})}`, headers } : { line, body: raw ?? input, headers }
  }
  const fields: Fields = isFields(input) ? { ...input } : {}
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, word: string) => {
    // Without a word it would be another path.
    const value = String(fields[word]) || '%20'
    delete fields[word]
    return value.startsWith('%') ? value : encoded(value)
  })
  const query = Object.entries(fields).filter(([, value]) => isQuery && value !== undefined)
  const pairs = query.map(([key, value]) => `${key}=${encoded(value)}`)
  const line = `${route.method} ${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
  return isQuery ? { line, headers } : { line, body: raw ?? (isFields(input) ? fields : input), headers }
}
