import type { TokenScope } from '@community/contract'
import { type InputOf, PASSWORD, uniqueName } from '@community/testing'
import type { TestServer, TestUser } from './test-server.ts'

/** A personal access token, usable as a caller. */
export interface TestToken {
  id: string
  name: string
  token: string
}

export const requestToken = (
  server: TestServer,
  user: Pick<TestUser, 'token'>,
  fields: Partial<InputOf<'users.createToken'>> = {},
) =>
  server.rest(user)('POST /users/tokens', {
    name: uniqueName('Script'),
    scopes: ['read'],
    currentPassword: PASSWORD,
    ...fields,
  })

export async function createToken(server: TestServer, user: TestUser, ...scopes: TokenScope[]): Promise<TestToken> {
  const { status, body } = await requestToken(server, user, { scopes })
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return { id: body.data.token.id, name: body.data.token.name, token: body.data.secret }
}
