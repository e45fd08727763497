import { failureOf, isTransient } from './failure.ts'

const ABOUT_PASSWORD = new Set([
  'WRONG_PASSWORD',
  'WRONG_CURRENT_PASSWORD',
  'PASSWORD_REQUIRED',
  'ADMIN_PASSWORD_LOCKED',
])

/** Whether an error is about the entered password. Dialogs that ask for a password show such an error at their field, not as a toast. */
export const isPasswordError = (error: unknown): boolean => ABOUT_PASSWORD.has(failureOf(error).code ?? '')

/** Whether a retry may succeed: wrong password, network failure or server error. */
export const isRetryable = (error: unknown): boolean => isPasswordError(error) || isTransient(failureOf(error))
