import { findCaller } from '../auth/sessions.ts'
import type { Context, CreateContext, Deps } from '../context.ts'
import type { Clients } from './rate-limit-client.ts'
import type { ReadLimit } from './read-limit.ts'
import { bearerOf, clientInfoOf } from './client-info.ts'

/** Makes the context of a request's calls: the bearer token becomes a caller or nobody. */
export const contextFactory =
  (deps: Deps, clients: Clients, readLimit: ReadLimit): CreateContext =>
  async (request, reply) => {
    const token = bearerOf(request)
    const found = token === null ? null : await findCaller(deps, token)
    const user = found && 'caller' in found ? found.caller : null
    clients.remember(request, user?.id ?? null)
    const carriesToken = request.headers.authorization !== undefined
    const tokenError = user || !carriesToken ? null : found && 'expired' in found ? 'expired' : 'unknown'
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
