import { brotliDecompressSync } from 'node:zlib'
import { faults } from '@community/contract'
import { Refusal } from '../errors.ts'
import { COMMON_PASSWORDS } from './common-passwords.gen.ts'

let kept: ReadonlySet<string> | undefined
const listed = (): ReadonlySet<string> => {
  kept ??= new Set(brotliDecompressSync(Buffer.from(COMMON_PASSWORDS, 'base64')).toString().split('\n'))
  return kept
}

/** Is it one of the passwords that people choose most often, in whatever capitals? */
export const isCommonPassword = (password: string): boolean => listed().has(password.toLowerCase())

/** Refuses a common password with `passwordTooCommon`, told at the input's field: before anything is hashed or mailed. */
export function refuseCommonPassword(password: string, path: 'password' | 'newPassword' = 'password'): void {
  if (isCommonPassword(password)) throw new Refusal({ ...faults.passwordTooCommon, path })
}
