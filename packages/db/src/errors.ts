/** The database is unavailable; whether the last statement took effect is unknown. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'

  constructor(cause?: unknown) {
    super('The database is unavailable', { cause })
  }
}

interface DriverError {
  code?: string
  constraint_name?: string
  /** The function of PostgreSQL that reported it. */
  routine?: string
  cause?: unknown
}

/** Yields an error and its causes: Drizzle wraps the driver's errors. */
function* causesOf(error: unknown): Generator<DriverError> {
  let current = error
  for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
    const cause: DriverError = current
    yield cause
    current = cause.cause
  }
}

/** The codes of an error and its causes: of the system and of PostgreSQL. */
export const codesOf = (error: unknown): string[] =>
  [...causesOf(error)].flatMap(({ code }) => (typeof code === 'string' ? [code] : []))

/**
 * After a failed pipelined statement the following ones fail with 25P02. Returns that error unwrapped: the driver then replaces it with
 * the first error of the transaction.
 */
export function unwrapAbortedTransaction(error: unknown): unknown {
  for (const cause of causesOf(error)) if (cause.code === '25P02') return cause
  return error
}

/** The name of the violated constraint; null for any other error. */
export function constraintOf(error: unknown): string | null {
  for (const { constraint_name: name } of causesOf(error)) if (name) return name
  return null
}

const UNAVAILABLE_CODES = new Set([
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
  // A demoted primary, which is read-only.
  '25006',
])

/** A prepared plan that a migration has made invalid: it is made anew the next time. Its code, 0A000, also has other causes. */
const isStalePlan = (error: unknown): boolean =>
  [...causesOf(error)].some(({ routine }) => routine === 'RevalidateCachedQuery')

/** Whether the database is unavailable for the moment: down, restarting, out of connections, demoted, migrated, or lost during a statement. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isStalePlan(error) ||
  error instanceof DatabaseUnavailable ||
  [...causesOf(error)].some((link) => link instanceof DatabaseUnavailable) ||
  codesOf(error).some((code) => UNAVAILABLE_CODES.has(code) || code.startsWith('08'))

/** Whether a statement or the wait for a lock timed out. */
export const isTimeout = (error: unknown): boolean =>
  codesOf(error).some((code) => code === '57014' || code === '55P03')

/** Whether the transaction may succeed when retried: a serialization failure, a deadlock or a stale plan. */
export const isRetryable = (error: unknown): boolean =>
  isStalePlan(error) || codesOf(error).some((code) => code === '40001' || code === '40P01')
