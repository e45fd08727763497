/** The database cannot be asked right now; whether the last statement took effect is unknown. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'

  constructor(cause?: unknown) {
    super('The database is away', { cause })
  }
}

interface DriverError {
  code?: string
  constraint_name?: string
  cause?: unknown
}

/** Drizzle wraps what the driver throws; the driver's own error is somewhere along the chain of causes. */
function* chainOf(error: unknown): Generator<DriverError> {
  let current = error
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
    const link: DriverError = current
    yield link
    current = link.cause
  }
}

/** The codes along an error's chain of causes: the system's and PostgreSQL's. */
export const codesOf = (error: unknown): string[] =>
  [...chainOf(error)].flatMap(({ code }) => (typeof code === 'string' ? [code] : []))

/**
 * Of statements sent together those after one that failed are refused. Whichever refusal is heard first: seen bare, the driver tells
 * in its place what failed first.
 */
export function bareIfAborted(error: unknown): unknown {
  for (const link of chainOf(error)) if (link.code === '25P02') return link
  return error
}

/** The name of the constraint a write ran into; null for any other error. */
export function constraintOf(error: unknown): string | null {
  for (const { constraint_name: name } of chainOf(error)) if (name) return name
  return null
}

const AWAY_CODES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'QUEUE_TIMEOUT',
  'ANSWER_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25P03',
  // A primary that another took over from: it reads on, and refuses to write.
  '25006',
])

/** Is the database out of reach: down, restarting, full, no longer the primary, or gone in the middle of a statement? */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable ||
  [...chainOf(error)].some((link) => link instanceof DatabaseUnavailable) ||
  codesOf(error).some((code) => AWAY_CODES.has(code) || code.startsWith('08'))

/** Did a statement or the wait for a lock run out of time? */
export const isTimeout = (error: unknown): boolean =>
  codesOf(error).some((code) => code === '57014' || code === '55P03')

/** May the same transaction succeed when it is run again: a serialization failure or a deadlock? */
export const isRetryable = (error: unknown): boolean =>
  codesOf(error).some((code) => code === '40001' || code === '40P01')
