import { limits } from '@community/contract'

/** Response headers, as components that responses refer to. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Names the request in the server’s log',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'Retry-After': {
    description: 'Seconds until the request may be repeated, as in `cooldown`',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate: `Bearer`, with `error="invalid_token"` when the token has expired',
    required: true,
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description:
      'The limit that applies, per IP address or per user: units (q) and the seconds (w) in which they refill',
    schema: { type: 'string' },
    example: '"address";q=6000;w=20',
  },
  RateLimit: {
    description:
      'Units left (r) and seconds until all are available again (t). On a 429 of any limit r is 0 and t the seconds of `Retry-After`',
    schema: { type: 'string' },
    example: '"address";r=5987;t=1',
  },
  ETag: { description: 'Changes with the data', schema: { type: 'string' } },
  Link: {
    description: 'The next page, if there is one (RFC 8288)',
    schema: { type: 'string' },
    example: '<https://community.example/api/teams?limit=24&cursor=WyJ0>; rel="next"',
  },
}

/** The parameter of routes that take an Idempotency-Key; `sent` is the part of the request that must be the same. */
export const idempotencyParameter = (sent: 'body' | 'file') => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `The same key with the same ${sent} takes effect once; its response is repeated for ${limits.IDEMPOTENCY_KEY_TTL / limits.HOUR} hours. Failures are not stored, so a retry runs again. At most ${limits.IDEMPOTENCY_KEYS_MAX} keys per user.`,
  schema: { type: 'string', minLength: 1, maxLength: limits.IDEMPOTENCY_KEY_LENGTH_MAX, pattern: '^[!-~]+$' },
})

/** The `headers` of a response that has these besides `X-Request-Id`. */
export const headersOf = (...names: (keyof typeof RESPONSE_HEADERS)[]): Record<string, object> =>
  Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]))
