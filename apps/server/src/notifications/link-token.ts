import { limits } from '@community/contract'
import type { z } from 'zod'
import { type Secret, unsealJson } from '../auth/secret.ts'

/** Milliseconds for which the links of a mail work without sign-in. */
const TTL_MS = 30 * limits.DAY * 1000

/** A token for a link in a mail. It contains `content` encrypted: nothing is stored. */
export const createLinkToken = (secret: Pick<Secret, 'seal'>, content: object, now: number): string =>
  secret.seal(JSON.stringify({ ...content, expiresAt: now + TTL_MS }))

/** The content of a token; null if it is forged or expired, or is for another purpose than the schema's. */
export function readLinkToken<T extends { expiresAt: number }>(
  secret: Pick<Secret, 'unseal'>,
  schema: z.ZodType<T>,
  token: string,
  now: number,
): T | null {
  if (token.length > limits.LINK_TOKEN_LENGTH_MAX) return null
  const content = unsealJson(secret, schema, token)
  return content && content.expiresAt > now ? content : null
}
