import { failureOf, isTransient } from './failure.ts'

const ABOUT_PASSWORD = new Set([
  'WRONG_PASSWORD',
  'WRONG_CURRENT_PASSWORD',
  'PASSWORD_REQUIRED',
  'ADMIN_PASSWORD_LOCKED',
])

/** Whether the error is about the password, so that the dialog that asks for it shows it. */
export const isPasswordError = (error: unknown): boolean => ABOUT_PASSWORD.has(failureOf(error).code ?? '')

/** Whether a retry may succeed: wrong password, network failure or server error. */
export const isRetryable = (error: unknown): boolean => isPasswordError(error) || isTransient(failureOf(error))
