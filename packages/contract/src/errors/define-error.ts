import type { ProofPurpose } from '../auth/proof-of-work.ts'

/** HTTP statuses of errors. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 428 | 429 | 503

/** What an error response may carry besides its message. */
export interface ErrorDetails {
  /** Seconds until the request may be repeated. */
  cooldown?: number
  expired?: true
  invalid?: true
  /** The purpose of the challenge to solve before repeating the request. */
  proofOfWork?: ProofPurpose
}

/** A documented error. `code` is stable; `message` is the default English text. */
export interface ErrorDefinition extends ErrorDetails {
  status: ErrorStatus
  code: string
  message: string
  /** The input field at fault, reported in `errors`. */
  path?: string
}

export const defineError = (
  status: ErrorStatus,
  code: string,
  message: string,
  extra: ErrorDetails & { path?: string } = {},
): ErrorDefinition => ({
  status,
  code,
  message,
  ...extra,
})

/** The same error with another message. */
export const withMessage = (definition: ErrorDefinition, message: string): ErrorDefinition => ({
  ...definition,
  message,
})
