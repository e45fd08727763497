import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { hashToken } from '../auth/session-adapter.ts'
import { addressKey, siteKey } from './client-address.ts'
import { bearerOf } from './client-info.ts'

/** Whose limits a request counts in. */
export interface Client {
  kind: 'person' | 'address'
  /** The key of the person's or the address's limits. */
  key: string
  /** Where the request came from: of IPv6 the /48, which may hold many clients. */
  site: string
}

export interface Clients {
  of(request: FastifyRequest): Client
  /** Remembers the user whom a request's token belongs to; null forgets the token. */
  remember(request: FastifyRequest, userId: string | null): void
}

/** Tokens remembered: some hundred bytes each. */
const TOKENS_MAX = 20_000

/**
 * Finds the client of a request before authentication, from a cache of valid tokens. It is used for limits only, never for access.
 * The first request of a token counts for its address.
 */
export function createClients(): Clients {
  const owners = new LRUCache<string, string>({ max: TOKENS_MAX })
  const known = new WeakMap<FastifyRequest, Client>()
  return {
    of(request) {
      const seen = known.get(request)
      if (seen) return seen
      const token = bearerOf(request)
      const owner = token === null ? undefined : owners.get(hashToken(token))
      const site = siteKey(request.ip)
      const client: Client = owner
        ? { kind: 'person', key: `person ${owner}`, site }
        : { kind: 'address', key: `address ${addressKey(request.ip)}`, site }
      known.set(request, client)
      return client
    },
    remember(request, userId) {
      const token = bearerOf(request)
      if (token === null) return
      if (userId === null) owners.delete(hashToken(token))
      else if (known.get(request)?.kind !== 'person') owners.set(hashToken(token), userId)
    },
  }
}
