import type { Message } from '@community/contract'
import { type ClientFailure, isServerError } from '../../lib/failure.ts'
import { msg, serverText, t } from '../../lib/i18n.ts'

/** The texts of a failed step: the toast's title (an English id), and the message, also shown inline. */
interface FailureText {
  title: string
  message: Message
}

/** Whether the failure is an error that the server reported for this request. */
const isAboutRequest = (failure: ClientFailure): boolean =>
  failure.kind === 'rejected' && failure.message !== '' && !isServerError(failure)

function transportText(failure: ClientFailure): FailureText | null {
  if (failure.kind === 'network') return { title: msg('Connection Error'), message: failure }
  return failure.kind === 'timeout' ? { title: msg('Timeout Error'), message: failure } : null
}

/** The message of a failed step; `fallback` if the failure is not about the request. */
export const stepMessage = (failure: ClientFailure, fallback: string): Message =>
  transportText(failure)?.message ?? (isAboutRequest(failure) ? failure : { message: fallback })

/** The texts of a failed sign-in, registration or resend. */
export function stepFailureText(failure: ClientFailure, title: string, fallback: string): FailureText {
  return { title: transportText(failure)?.title ?? title, message: stepMessage(failure, fallback) }
}

/** The messages of a rejected code; the external sign-in has its own. */
interface CodeTexts {
  expired: string
  fallback: string
}

export const MODAL_CODE_TEXTS: CodeTexts = {
  expired: msg('Your verification code has expired. Please request a new one.'),
  fallback: msg("We couldn't verify your code. Please check your connection and try again."),
}
export const EXTERNAL_CODE_TEXTS: CodeTexts = {
  expired: msg('Your verification code has expired. Please try signing in with the external provider again.'),
  fallback: msg('Verification failed. Please try again.'),
}

export const codeExpiredText = ({ expired }: CodeTexts): FailureText => ({
  title: msg('Code Expired'),
  message: { message: expired },
})

/** The message of a rejected code; null for any other failure. */
export function codeErrorText({ expired, invalid }: ClientFailure, texts: CodeTexts): FailureText | null {
  if (expired) return codeExpiredText(texts)
  if (!invalid) return null
  return {
    title: msg('Invalid Code'),
    message: { message: msg('The verification code you entered is incorrect. Please check and try again.') },
  }
}

/** The texts of a failed code step. */
export function codeFailureText(failure: ClientFailure, texts: CodeTexts): FailureText {
  const codeError = codeErrorText(failure, texts)
  if (codeError) return codeError
  const isUnreachable = failure.kind !== 'rejected' || isServerError(failure)
  const fallback = isUnreachable
    ? msg("We couldn't verify your code. Please check your connection and try again.")
    : texts.fallback
  return stepFailureText(failure, msg('Verification Failed'), fallback)
}

/** Translates the texts for a toast. */
export const translateFailure = ({ title, message }: FailureText): { title: string; message: string } => ({
  title: t(title),
  message: serverText(message),
})
