import type { ProofPurpose } from '../auth/proof-of-work.ts'
import { createMessage, type Message, type MessageParams } from '../message.ts'

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 416 | 422 | 428 | 429 | 500 | 503

/** Optional fields of an error response besides its message. */
export interface ErrorDetails {
  /** Seconds until the request may be repeated. */
  cooldown?: number
  expired?: true
  invalid?: true
  /** The purpose of the challenge to solve before repeating the request. */
  proofOfWork?: ProofPurpose
}

/** A documented error. `code` is stable; `message` is the default English text. */
export interface ErrorDefinition extends ErrorDetails, Message {
  status: ErrorStatus
  code: string
  /** The input field at fault, reported in `errors`. */
  path?: string
}

// Lets the web app's bundler drop the errors it does not use.
/* @__NO_SIDE_EFFECTS__ */
export const defineError = (
  status: ErrorStatus,
  code: string,
  template: string,
  { params, ...extra }: ErrorDetails & Pick<ErrorDefinition, 'path' | 'params'> = {},
): ErrorDefinition => ({
  status,
  code,
  ...createMessage(template, params),
  ...extra,
})

/** The same error with another message; with `params`, `template` has placeholders such as `{n}`. */
export const withMessage = (
  definition: ErrorDefinition,
  template: string,
  params?: MessageParams,
): ErrorDefinition => ({ ...definition, ...createMessage(template, params) })
