import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Lets secret scanners recognise the token. */
const PREFIX = 'cmt_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 30 characters of base62 have 178 bits of entropy. */
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
const FORMAT = new RegExp(`^${PREFIX}([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`)

/** The CRC-32 of a text in base62, as in GitHub's tokens: secret scanners and `isWellFormed` check it offline. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (; rest > 0; rest = Math.floor(rest / DIGITS.length)) digits = DIGITS[rest % DIGITS.length] + digits
  return digits.padStart(CHECKSUM_LENGTH, '0')
}

/** A new personal access token. */
export function generateToken(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('')
  return PREFIX + random + checksumOf(random)
}

/** Whether a bearer token claims to be a personal access token; any other is a session's. */
export const isPersonalToken = (token: string): boolean => token.startsWith(PREFIX)

/** Whether a personal access token has the right length, characters and checksum. */
export function isWellFormed(token: string): boolean {
  const [, random = '', checksum] = FORMAT.exec(token) ?? []
  return checksum === checksumOf(random)
}
