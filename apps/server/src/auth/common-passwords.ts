import { brotliDecompressSync } from 'node:zlib'
import { appErrors } from '@community/contract'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { PUBLISHED_PASSWORDS } from '../start/published-values.ts'
import { COMMON_PASSWORDS } from './common-passwords.gen.ts'

let cache: ReadonlySet<string> | undefined
const loadCommonPasswords = (): ReadonlySet<string> => {
  cache ??= new Set([
    ...brotliDecompressSync(Buffer.from(COMMON_PASSWORDS, 'base64')).toString().split('\n'),
    ...PUBLISHED_PASSWORDS.map((password) => password.toLowerCase()),
  ])
  return cache
}

/** Is it one of the most common passwords or a published one, ignoring case? */
export const isCommonPassword = (password: string): boolean => loadCommonPasswords().has(password.toLowerCase())

/** Throws `passwordTooCommon` for the input's field if `PASSWORD_BLOCKLIST` is on. Call it before hashing or mailing anything. */
export function assertNotCommonPassword(
  { passwordBlocklist }: Pick<Config, 'passwordBlocklist'>,
  password: string,
  path: 'password' | 'newPassword' = 'password',
): void {
  if (passwordBlocklist && isCommonPassword(password)) throw new AppError({ ...appErrors.passwordTooCommon, path })
}
