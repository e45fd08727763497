import pino, { type DestinationStream } from 'pino'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

/** Fields that are redacted in every logged object. */
const SECRETS = ['password', 'otp', 'token', 'refreshToken', 'authorization', 'cookie']

/** The rest of a file's path is its name and its key, which opens the file to anyone. */
const FILE_PATH = /(\/files\/).+/i

/** Logs the path without the query, which may hold an OAuth code or an e-mail address. */
const serializeRequest = ({ method, url, ip }: FastifyRequest) => ({
  method,
  path: url.split('?')[0]?.replace(FILE_PATH, '$1…'),
  address: ip,
})

interface LoggedError {
  type: string
  message: string
  stack?: string
  code?: string | number
  constraint?: string
  cause?: LoggedError
  errors?: LoggedError[]
}

/** The message of an error without query parameters, which hold personal data. */
export const loggableMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\nparams:')[0] ?? ''

/** Limits nested causes, which may be circular, and the errors of an `AggregateError`. */
const MAX_CAUSES = 4

/** The loggable part of an error, without PostgreSQL's detail messages, which hold personal data. */
function serializeError(error: unknown, causes = MAX_CAUSES): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' }
  const { code, constraint_name: constraint } = error as { code?: unknown; constraint_name?: unknown }
  const frames = error.stack?.indexOf('\n    at ') ?? -1
  return {
    type: error.name,
    message: loggableMessage(error),
    ...(frames >= 0 && { stack: error.stack?.slice(frames + 1) ?? '' }),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(error.cause !== undefined && causes > 0 && { cause: serializeError(error.cause, causes - 1) }),
    ...(error instanceof AggregateError &&
      causes > 0 && { errors: error.errors.map((each) => serializeError(each, causes - 1)) }),
  }
}

/** Creates the logger: one JSON object per line, without secrets and user input. */
export const createLog = (level: string, destination?: DestinationStream): FastifyBaseLogger =>
  pino(
    {
      level,
      redact: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)],
      serializers: { req: serializeRequest, err: (error: unknown) => serializeError(error) },
    },
    ...(destination ? [destination] : []),
  )
