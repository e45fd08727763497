import pino, { type DestinationStream } from 'pino'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

/** Fields whose values never reach a log, wherever somebody logs an object that has them. */
const SECRETS = ['password', 'otp', 'token', 'refreshToken', 'authorization', 'cookie']

/** A query may hold a provider's code or somebody's address: only the path is logged. */
const requestLine = ({ method, url, ip }: FastifyRequest) => ({ method, path: url.split('?')[0], address: ip })

interface LoggedError {
  type: string
  message: string
  stack?: string
  code?: string | number
  constraint?: string
  cause?: LoggedError
}

/** Causes within causes that are told; errors may lead back to themselves. */
const CAUSES = 4

/** What an error says of the program, not of people: a failed query's parameters and a server's quotations of them stay out. */
function errorLine(error: unknown, causes = CAUSES): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' }
  const { code, constraint_name: constraint } = error as { code?: unknown; constraint_name?: unknown }
  const [message = ''] = error.message.split('\nparams:')
  const frames = error.stack?.indexOf('\n    at ') ?? -1
  return {
    type: error.name,
    message,
    ...(frames >= 0 && { stack: error.stack?.slice(frames + 1) ?? '' }),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(error.cause !== undefined && causes > 0 && { cause: errorLine(error.cause, causes - 1) }),
  }
}

/** The server's log: a JSON object a line, without secrets and without what people sent. */
export const createLog = (level: string, destination?: DestinationStream): FastifyBaseLogger =>
  pino(
    {
      level,
      redact: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)],
      serializers: { req: requestLine, err: (error: unknown) => errorLine(error) },
    },
    // Without one pino writes to the standard output.
    ...(destination ? [destination] : []),
  )
