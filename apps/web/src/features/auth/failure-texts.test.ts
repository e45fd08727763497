import { describe, expect, it } from 'vitest'
import { type ClientFailure, NETWORK_TEXT, TIMEOUT_TEXT } from '../../lib/failure.ts'
import { codeFailureText, EXTERNAL_CODE_TEXTS, MODAL_CODE_TEXTS, stepFailureText } from './failure-texts.ts'

const serverFailure = (extra: Partial<ClientFailure>): ClientFailure => ({
  kind: 'rejected',
  message: 'said by the server',
  errors: [],
  ...extra,
})
const NETWORK: ClientFailure = { kind: 'network', message: NETWORK_TEXT, errors: [] }
const TIMEOUT: ClientFailure = { kind: 'timeout', message: TIMEOUT_TEXT, errors: [] }
const BAD_FORMAT: ClientFailure = { kind: 'format', message: '<html>', errors: [] }
const GENERIC = "We couldn't verify your code. Please check your connection and try again."

describe('codeFailure', () => {
  it.each([
    [
      'expired',
      serverFailure({ expired: true }),
      'Code Expired',
      'Your verification code has expired. Please request a new one.',
    ],
    [
      'invalid',
      serverFailure({ invalid: true }),
      'Invalid Code',
      'The verification code you entered is incorrect. Please check and try again.',
    ],
    ['without a network', NETWORK, 'Connection Error', NETWORK_TEXT],
    ['too late', TIMEOUT, 'Timeout Error', TIMEOUT_TEXT],
    ['answered by something else', BAD_FORMAT, 'Verification Failed', GENERIC],
    ['while the service is away', serverFailure({ code: 'UNAVAILABLE' }), 'Verification Failed', GENERIC],
    [
      'rejected for another reason',
      serverFailure({ code: 'CODE_LOCKED' }),
      'Verification Failed',
      'said by the server',
    ],
  ])('shows the specification’s message for %s', (_case, failure, title, message) => {
    expect(codeFailureText(failure, MODAL_CODE_TEXTS)).toMatchObject({ title, message: { message } })
  })

  it('sends the user of an expired external sign-in back to the provider', () => {
    expect(codeFailureText(serverFailure({ expired: true }), EXTERNAL_CODE_TEXTS).message.message).toBe(
      'Your verification code has expired. Please try signing in with the external provider again.',
    )
  })

  it('has a default for an error of the external sign-in without a message', () => {
    expect(codeFailureText(serverFailure({ message: '' }), EXTERNAL_CODE_TEXTS)).toEqual({
      title: 'Verification Failed',
      message: { message: 'Verification failed. Please try again.' },
    })
  })
})

describe('stepFailure', () => {
  it('uses the server’s message if there is one, and the fallback otherwise', () => {
    const fallback = "We couldn't sign you in. Please try again."
    expect(stepFailureText(serverFailure({ code: 'BANNED' }), 'Login failed', fallback).message.message).toBe(
      'said by the server',
    )
    expect(stepFailureText(serverFailure({ code: 'INTERNAL' }), 'Login failed', fallback).message.message).toBe(
      fallback,
    )
    expect(stepFailureText(BAD_FORMAT, 'Login failed', fallback)).toEqual({
      title: 'Login failed',
      message: { message: fallback },
    })
    expect(stepFailureText(NETWORK, 'Login failed', fallback).title).toBe('Connection Error')
  })
})
