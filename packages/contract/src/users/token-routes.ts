import { z } from 'zod'
import { adminsOnly, banned, tokenMissing, tokenNameTaken, tooManyTokens } from '../error-catalogue.ts'
import { TOKENS_MAX } from '../limits.ts'
import { Id } from '../primitives.ts'
import { route } from '../route.ts'
import { profileErrors } from './schemas.ts'
import { CreateTokenInput, PersonalToken } from './token-schemas.ts'

/** Personal access tokens for scripts; not in the specification. */
export const tokenRoutes = {
  tokens: route('GET /users/tokens', {
    access: 'member',
    beyondSpecification: true,
    sessionOnly: true,
    summary: 'The caller’s personal access tokens, newest first, expired ones included',
    description: `Their secrets cannot be read again. \`lastUsedAt\` helps to find those that nothing uses any more. Not paged: at most ${TOKENS_MAX}.`,
    output: z.object({ tokens: z.array(PersonalToken) }),
  }),
  createToken: route('POST /users/tokens', {
    access: 'member',
    beyondSpecification: true,
    sessionOnly: true,
    hashesPassword: true,
    creates: true,
    // A stored response would hold the secret for a day.
    idempotent: false,
    summary: 'Create a personal access token for scripts; its secret is in this response only',
    description: `Store the \`secret\`: only a hash of it is kept. The owner is notified by mail. An account can have ${TOKENS_MAX} tokens with different names.`,
    input: CreateTokenInput,
    output: z.object({
      token: PersonalToken,
      secret: z.string().describe('Send as `Authorization: Bearer`. Begins with `cmt_`. Only a hash of it is stored'),
    }),
    successMessage: 'Access token created',
    errors: { ...profileErrors, adminsOnly, banned, tokenNameTaken, tooManyTokens },
  }),
  revokeToken: route('DELETE /users/tokens/{id}', {
    access: 'member',
    beyondSpecification: true,
    sessionOnly: true,
    summary: 'Revoke one of the caller’s personal access tokens',
    description: 'Requests with it fail with 401 from then on.',
    input: z.object({ id: Id }),
    successMessage: 'Access token revoked',
    errors: { tokenMissing },
  }),
}
