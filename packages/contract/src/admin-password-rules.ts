import { ADMIN_PASSWORD_LENGTH } from './limits.ts'
import { limitText } from './registered-messages.ts'

const TOO_SHORT = limitText('Password must be at least {n} characters', ADMIN_PASSWORD_LENGTH.min)
const TOO_LONG = limitText('Password is too long (maximum {n} characters)', ADMIN_PASSWORD_LENGTH.max)
const WEAK_PREFIXES = ['123456', 'password', 'admin', 'qwerty', 'asdf', 'zxcv']
const WEAK_PASSWORDS = ['password', '123456', 'admin', 'root', 'test', 'demo']

/** Why an administrator cannot use this password; null if they can. Exact texts of the specification. */
export function adminPasswordProblem(password: string): string | null {
  const lower = password.toLowerCase()
  if (password.trim() === '') return 'Password is required'
  if (password.length < ADMIN_PASSWORD_LENGTH.min) return TOO_SHORT
  if (password.length > ADMIN_PASSWORD_LENGTH.max) return TOO_LONG
  if (!/[A-Z]/.test(password)) return 'Password must contain at least one uppercase letter'
  if (!/[a-z]/.test(password)) return 'Password must contain at least one lowercase letter'
  if (!/[0-9]/.test(password)) return 'Password must contain at least one number'
  if (/(.)\1\1/u.test(password)) return 'Password cannot contain more than 2 consecutive identical characters'
  if (WEAK_PREFIXES.some((start) => lower.startsWith(start)))
    return 'Password contains common weak patterns. Please choose a stronger password.'
  if (WEAK_PASSWORDS.includes(lower)) return 'Password is too weak. Please choose a stronger password.'
  return null
}
