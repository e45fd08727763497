import { HOUR, IDEMPOTENCY_KEY_LENGTH_MAX, IDEMPOTENCY_KEY_TTL, IDEMPOTENCY_KEYS_MAX } from '../limits.ts'
import { defineError } from './define-error.ts'

// Errors of any procedure, from access checks, validation, limits or an outage.
export const validation = defineError(400, 'VALIDATION', 'Please check the fields')
export const notSignedIn = defineError(401, 'NOT_SIGNED_IN', 'Please sign in')
export const tokenExpired = defineError(401, 'TOKEN_EXPIRED', 'Your session has expired. Please sign in again.', {
  expired: true,
})
export const adminsOnly = defineError(403, 'ADMINS_ONLY', 'Administrators only')
export const notFound = defineError(404, 'NOT_FOUND', 'Not found')
export const methodNotAllowed = defineError(405, 'METHOD_NOT_ALLOWED', 'This URL does not support this method')
export const tooLarge = defineError(413, 'TOO_LARGE', 'The request is too large')
export const wrongContentType = defineError(415, 'WRONG_CONTENT_TYPE', 'Send the body as application/json')
export const rangeNotSatisfiable = defineError(416, 'RANGE_NOT_SATISFIABLE', 'The file is shorter than that range')
export const tooManyRequests = defineError(429, 'TOO_MANY_REQUESTS', 'Too many requests. Please wait and try again.')
export const unavailable = defineError(503, 'UNAVAILABLE', 'The service is unavailable right now. Please try again.')
export const internal = defineError(500, 'INTERNAL', 'Something went wrong. Please try again.')
export const proofOfWorkRequired = defineError(
  428,
  'PROOF_OF_WORK_REQUIRED',
  'A proof of work is required. Get one from GET /api/auth/proof-of-work.',
)
export const proofOfWorkInvalid = defineError(
  428,
  'PROOF_OF_WORK_INVALID',
  'The proof of work is invalid, expired or already used',
)
export const crossSite = defineError(403, 'CROSS_SITE', 'This request came from another site')
export const passwordRequired = defineError(400, 'PASSWORD_REQUIRED', 'Password is required', { path: 'password' })
export const wrongPassword = defineError(403, 'WRONG_PASSWORD', 'The password you entered is incorrect.', {
  invalid: true,
  path: 'password',
})
export const adminPasswordLocked = defineError(
  429,
  'ADMIN_PASSWORD_LOCKED',
  'Too many wrong passwords. Please wait and try again.',
)
export const idempotencyKeyInvalid = defineError(
  400,
  'IDEMPOTENCY_KEY_INVALID',
  'An Idempotency-Key must have 1 to {n} printable characters',
  { params: { n: IDEMPOTENCY_KEY_LENGTH_MAX } },
)
export const idempotencyKeySpent = defineError(
  409,
  'IDEMPOTENCY_KEY_SPENT',
  'The first request with this Idempotency-Key took effect, but its response was lost',
)
export const idempotencyKeyReused = defineError(
  422,
  'IDEMPOTENCY_KEY_REUSED',
  'This Idempotency-Key was used for another request',
)
export const idempotencyKeyRunning = defineError(
  409,
  'IDEMPOTENCY_KEY_RUNNING',
  'The first request with this Idempotency-Key is still running',
)
export const tooManyIdempotencyKeys = defineError(
  429,
  'TOO_MANY_IDEMPOTENCY_KEYS',
  'You have reached the limit of {n} Idempotency-Keys per {hours} hours',
  { params: { n: IDEMPOTENCY_KEYS_MAX, hours: IDEMPOTENCY_KEY_TTL / HOUR } },
)

// Searches
export const searchTooBroad = defineError(
  400,
  'SEARCH_TOO_BROAD',
  'This search is too broad. Please type more letters.',
  {
    path: 'search',
  },
)
export const searchBusy = defineError(
  503,
  'SEARCH_BUSY',
  'Too many searches are running. Please try again in a moment.',
)
