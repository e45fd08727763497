import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'

/** Keyed hashing and encryption with APP_SECRET, with a separate derived key for each use. */
export interface Secret {
  /** A keyed hash of `parts` for one purpose, in hex. */
  hmac(purpose: string, ...parts: string[]): string
  /** Encrypts a text, so that the database alone does not reveal it. */
  seal(text: string): string
  /** Decrypts the result of `seal`; throws if it was modified or sealed with another secret. */
  unseal(sealed: string): string
}

const IV_BYTES = 12
const TAG_BYTES = 16

/** Expects at least 32 bytes. */
export function createSecret(key: Buffer): Secret {
  const deriveKey = (use: string) => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `community/${use}`, 32))
  const hmacKey = deriveKey('hmac')
  const sealKey = deriveKey('seal')
  return {
    // JSON separates the parts: ('ab', 'c') must not hash like ('a', 'bc').
    hmac: (purpose, ...parts) =>
      createHmac('sha256', hmacKey)
        .update(JSON.stringify([purpose, ...parts]))
        .digest('hex'),
    seal(text) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    unseal(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      // Reject shortened tags, which are easier to forge.
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** Whether two hashes are equal, in a time that does not depend on where they differ. */
export const equalsInConstantTime = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The likely reason why `tryUnseal` returned undefined, for error messages. */
export const APP_SECRET_CHANGED = 'APP_SECRET has changed'

/** The unsealed text; undefined if it was modified or sealed with another APP_SECRET. */
export function tryUnseal(secret: Pick<Secret, 'unseal'>, sealed: string): string | undefined {
  try {
    return secret.unseal(sealed)
  } catch {
    return undefined
  }
}

/** The JSON that was sealed; undefined if it does not match the schema, was modified, or was sealed with another APP_SECRET. */
export function unsealJson<T>(secret: Pick<Secret, 'unseal'>, schema: z.ZodType<T>, sealed: string): T | undefined {
  try {
    return schema.parse(JSON.parse(secret.unseal(sealed)))
  } catch {
    return undefined
  }
}
