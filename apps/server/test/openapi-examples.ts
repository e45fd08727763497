import { createHash } from 'node:crypto'
import { EXAMPLE_SECRET } from '../src/rest/openapi/webhooks.ts'

/** The maximum number of entries of a list of objects in an example. */
const ENTRIES = 2
const DAY = 86_400_000

/** Values that differ in each run, by field; of a list, each other value in an example gets the next one. */
const BY_FIELD: Record<string, string | string[]> = {
  deadline: '2026-12-01T18:00:00.000Z',
  day: '2026-11-21',
  // Mondays.
  start: ['2026-11-09T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
  token: 'JlVUxbSKVVtaB6bJhuyIfpMKEBF3t4bGXW1dKNSX4kE',
  refreshToken: 'x2h5WnJrQZC8cF0yqkYw0pV4oJ1uTt6b3NfLd9sAaEg',
  otp: '123456',
  nextCursor: 'WyJBdGxhcyBMaW9ucyIsIjAxOTdhM2M0Il0',
  signInId: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11',
  registrationId: 'pOZkQ0mS2lXhT7b9WcVfYg',
  resetId: 'pOZkQ0mS2lXhT7b9WcVfYg',
  nonce: '3d0c6ae1f5b24a7c8e9f00112233445566',
  salt: '9a8b7c6d5e4f30211203f4e5d6c7b8a9',
  keyPrefix: '00',
  keySignature: '5f1d7a84da0b2e0e9c3e4a1b6d2f8c70',
  signature: 'b1946ac92492d2347c6235b4d2611184',
  address: '203.0.113.7',
  userAgent: 'curl/8.14.1',
}

/** The names and addresses of generated test data, and the settings of a test server. */
const NAMES: [RegExp, string | string[]][] = [
  [/\/files\/\d{8}-[\w-]+/g, '/files/20261121-3J9cQ0r7VfYkq1m8ZxTn5aWbLs2EdGhU'],
  [/\b[Tt]eam [0-9a-f]{12}\b/g, ['Atlas Lions', 'Rif Coders', 'Sahara Bytes']],
  [/\bToken [0-9a-f]{12}\b/g, 'Weekly report'],
  [
    /\bChallenge [0-9a-f]{12}\b/g,
    ['Bus times that work offline', 'Bus times in three languages', 'Bus times as an API'],
  ],
  [/\w•••@example\.ma/g, 's•••@example.ma'],
  [/\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\b/g, '2026-11-21 10:00:00'],
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, '2026-11-21T10:00:00.000Z'],
  // The document has its own address in place of this one.
  [/http:\/\/localhost:3000\b/g, 'https://community.example'],
  [/\bsupport@localhost\b/g, 'support@community.example'],
  [/\b127\.0\.0\.1\b/g, '203.0.113.7'],
]

const EMAIL = /[\w.+-]+@example\.ma/g
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g

const secretLike = (secret: string): string =>
  secret.startsWith('cmt_') ? 'cmt_ExampleTokenOfTheDocumentation1Nq69p' : EXAMPLE_SECRET

const expiryLike = (time: string): string =>
  Date.parse(time) - Date.now() > DAY ? '2026-12-21T10:00:00.000Z' : '2026-11-21T10:15:00.000Z'

/** The first names of people in an example, by e-mail address. */
function firstNames(value: unknown, names = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null) return names
  const { name, email } = value as { name?: unknown; email?: unknown }
  if (typeof name === 'string' && typeof email === 'string') names.set(email, name.split(' ')[0]?.toLowerCase() ?? '')
  for (const inner of Object.values(value)) firstNames(inner, names)
  return names
}

/**
 * Replaces values that change from run to run, numbers ids in the order in which they appear, and shortens lists of objects. No two
 * examples share an id: `name` is part of it.
 */
export function maskVariableValues(name: string, example: object): unknown {
  const people = firstNames(example)
  const operation = createHash('sha256').update(name).digest('hex').slice(0, 8)
  const seen = new Map<unknown, string[]>()
  const positionOf = (value: string, among: unknown): number => {
    const values = seen.get(among) ?? []
    seen.set(among, values)
    if (!values.includes(value)) values.push(value)
    return values.indexOf(value)
  }
  const pick = (replacement: string | string[], value: string): string =>
    [replacement].flat()[Math.min(positionOf(value.toLowerCase(), replacement), [replacement].flat().length - 1)] ?? ''
  const numbered = (id: string): string =>
    `0197a3c4-0c1e-7b3a-9d52-${operation}${String(positionOf(id, UUID) + 1).padStart(4, '0')}`
  const visit = (value: unknown, field: string): unknown => {
    if (Array.isArray(value)) {
      const entries = typeof value[0] === 'object' ? value.slice(0, ENTRIES) : value
      return entries.map((entry) => visit(entry, field))
    }
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner, key)]))
    if (field === 'expiresAt' && typeof value === 'number') return 1_795_255_800
    if (field === 'uptime') return 86_400.5
    if (typeof value !== 'string') return value
    if (field === 'secret') return secretLike(value)
    if (field === 'expiresAt') return expiryLike(value)
    if (BY_FIELD[field] !== undefined) return pick(BY_FIELD[field], value)
    return NAMES.reduce((text, [pattern, names]) => text.replace(pattern, (match) => pick(names, match)), value)
      .replace(EMAIL, (email) => `${people.get(email) ?? 'sara'}@example.ma`)
      .replace(UUID, numbered)
  }
  return visit(example, '')
}
