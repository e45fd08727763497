import { TOKENS_MAX } from '../limits.ts'
import { defineError } from './define-error.ts'

// A malformed, unknown or revoked personal access token is `notSignedIn`, an expired one `tokenExpired`.

/** Thrown with the missing scope in `params`. */
export const tokenScopeMissing = defineError(
  403,
  'TOKEN_SCOPE_MISSING',
  'This access token does not have the required scope',
)
export const sessionRequired = defineError(
  403,
  'SESSION_REQUIRED',
  'This cannot be done with an access token. Please sign in.',
)
export const tokenMissing = defineError(404, 'TOKEN_MISSING', 'This access token does not exist or was revoked')
export const tokenNameTaken = defineError(409, 'TOKEN_NAME_TAKEN', 'You already have an access token with this name', {
  path: 'name',
})
export const tooManyTokens = defineError(
  409,
  'TOO_MANY_TOKENS',
  'You have reached the limit of {n} access tokens. Revoke one to create another.',
  { params: { n: TOKENS_MAX } },
)
