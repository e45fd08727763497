import { appErrors, type ErrorDefinition } from '@community/contract'
import { findCaller } from '../auth/sessions.ts'
import type { Caller, Context, CreateContext, Deps } from '../context.ts'
import { findTokenCaller } from '../personal-tokens/find-token-caller.ts'
import { isPersonalToken } from '../personal-tokens/token-format.ts'
import type { Clients } from './rate-limit-client.ts'
import type { ReadLimit } from './read-limit.ts'
import { bearerOf, clientInfoOf } from './client-info.ts'

/** The user of a bearer token, or why it is not accepted. */
async function authenticate(deps: Deps, token: string | null): Promise<Caller | ErrorDefinition> {
  if (token === null) return appErrors.notSignedIn
  return isPersonalToken(token) ? findTokenCaller(deps, token) : findCaller(deps, token)
}

/** Returns the function that authenticates a request by its bearer token and creates its context. */
export const contextFactory =
  (deps: Deps, clients: Clients, readLimit: ReadLimit): CreateContext =>
  async (request, reply) => {
    const found = request.headers.authorization === undefined ? null : await authenticate(deps, bearerOf(request))
    const [user, tokenError] = found && 'role' in found ? [found, null] : [null, found]
    clients.remember(request, user?.id ?? null)
    const chargeRead = (cost: number) => readLimit.charge(request, cost)
    return {
      deps,
      db: deps.db,
      user,
      tokenError,
      request: clientInfoOf(request, reply),
      chargeRead,
    } satisfies Context
  }
