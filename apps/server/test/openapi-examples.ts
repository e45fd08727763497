/** The maximum number of entries of a list of objects in an example. */
const ENTRIES = 2

/** Values that differ in each run, by field. */
const BY_FIELD: Record<string, unknown> = {
  deadline: '2026-12-01T18:00:00.000Z',
  day: '2026-11-21',
  token: 'JlVUxbSKVVtaB6bJhuyIfpMKEBF3t4bGXW1dKNSX4kE',
  refreshToken: 'x2h5WnJrQZC8cF0yqkYw0pV4oJ1uTt6b3NfLd9sAaEg',
  secret: 'shown-only-in-this-response',
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

/** The names and addresses of generated test data. */
const NAMES: [RegExp, string][] = [
  [/\/files\/\d{8}-[\w-]+/g, '/files/20261121-3J9cQ0r7VfYkq1m8ZxTn5aWbLs2EdGhU'],
  [/\b[Tt]eam [0-9a-f]{12}\b/g, 'Atlas Lions'],
  [/\bToken [0-9a-f]{12}\b/g, 'Weekly report'],
  [/\bChallenge [0-9a-f]{12}\b/g, 'Bus times that work offline'],
  [/[\w.+-]+@example\.ma/g, 'sara@example.ma'],
  [/\w•••@example\.ma/g, 's•••@example.ma'],
  [/\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\b/g, '2026-11-21 10:00:00'],
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, '2026-11-21T10:00:00.000Z'],
]

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g

/** Replaces values that change from run to run, numbers ids in the order in which they appear, and shortens lists of objects. */
export function maskVariableValues(example: object): unknown {
  const ids = new Map<string, string>()
  const numbered = (id: string): string => {
    const known = ids.get(id) ?? `0197a3c4-0c1e-7b3a-9d52-${String(ids.size + 1).padStart(12, '0')}`
    ids.set(id, known)
    return known
  }
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
    if (field in BY_FIELD) return BY_FIELD[field]
    return NAMES.reduce((text, [pattern, name]) => text.replace(pattern, name), value).replace(UUID, numbered)
  }
  return visit(example, '')
}
