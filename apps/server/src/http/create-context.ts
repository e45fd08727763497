import { findCaller } from '../auth/sessions.ts'
import type { Context, CreateContext, Deps } from '../context.ts'
import type { Clients } from './rate-limit-client.ts'
import type { ReadLimit } from './read-limit.ts'
import { bearerOf, clientInfoOf } from './client-info.ts'

/** Returns the function that authenticates a request by its bearer token and creates its context. */
export const contextFactory =
  (deps: Deps, clients: Clients, readLimit: ReadLimit): CreateContext =>
  async (request, reply) => {
    const token = bearerOf(request)
    const session = token === null ? null : await findCaller(deps, token)
    const user = session && 'caller' in session ? session.caller : null
    clients.remember(request, user?.id ?? null)
    const carriesToken = request.headers.authorization !== undefined
    const tokenError = user || !carriesToken ? null : session && 'expired' in session ? 'expired' : 'unknown'
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
