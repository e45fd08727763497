import { randomBytes } from 'node:crypto'
import { type Call, dataOf, fromNewAddress } from '@community/testing/api-client'
import type { Fixture } from './fixture.ts'
import { sha256, type User } from '@community/testing/database/users'

/** Makes a call that mails a code; resolves with the code and the response's data. */
export async function mailedCode({ client, mail }: Fixture, call: Call & { body: Record<string, unknown> }) {
  const data = await dataOf(client.call(fromNewAddress(call)))
  return { ...data, otp: await mail.codeFor(String(call.body.email)) } as { otp: string; resetId: string }
}

/** Adds a refresh token to a user's session. */
export async function giveRefreshToken({ sql }: Fixture, { id }: User): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await sql`insert into refresh_tokens (hash, family_id, generation)
    select ${sha256(token)}, id, 1 from refresh_families where user_id = ${id}`
  return token
}
