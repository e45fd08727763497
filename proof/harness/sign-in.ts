import { createHash, randomBytes, randomInt } from 'node:crypto'
import type postgres from 'postgres'
import type { Person } from './people.ts'

/** Headers of somebody at an address of their own: limits per address are theirs alone. */
export const atNewAddress = (): Record<string, string> => ({
  'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
})

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Six digits that are not those, others for each turn. */
export const wrongCode = (code: string, turn = 0): string =>
  String((Number(code) + 1 + turn) % 1_000_000).padStart(6, '0')

/** A refresh token of somebody's sign-in, as if they had just signed in. */
export async function giveRefreshToken(sql: postgres.Sql, { id }: Person): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await sql`insert into refresh_tokens (hash, family_id, generation)
    select ${sha256(token)}, id, 1 from refresh_families where user_id = ${id}`
  return token
}
