import type { FastifyRequest } from 'fastify'
import { hashToken } from '../auth/hash-token.ts'
import { ipKey, siteKey } from './client-ip.ts'
import { bearerOf } from './client-info.ts'
import { createLruCache } from './lru-cache.ts'

/** The client whose limits a request counts towards. */
export interface Client {
  kind: 'person' | 'address'
  /** The key of the user's or the IP address's limits. */
  key: string
  /** The key of the request's site: an IPv4 address or an IPv6 /48. */
  site: string
}

export interface Clients {
  of(request: FastifyRequest): Client
  /** Stores the user of a request's token; null removes the token. */
  remember(request: FastifyRequest, userId: string | null): void
}

/** Cached tokens, at about a hundred bytes each. */
const TOKENS_MAX = 20_000

/**
 * Finds the client of a request before authentication, from a cache of valid tokens: for limits only, never for access. The first
 * request with a token counts towards its IP address.
 */
export function createClients(): Clients {
  const userIds = createLruCache<string>(TOKENS_MAX)
  const clients = new WeakMap<FastifyRequest, Client>()
  return {
    of(request) {
      const existing = clients.get(request)
      if (existing) return existing
      const token = bearerOf(request)
      const userId = token === null ? undefined : userIds.get(hashToken(token))
      const site = siteKey(request.ip)
      const client: Client = userId
        ? { kind: 'person', key: `person ${userId}`, site }
        : { kind: 'address', key: `address ${ipKey(request.ip)}`, site }
      clients.set(request, client)
      return client
    },
    remember(request, userId) {
      const token = bearerOf(request)
      if (token === null) return
      if (userId === null) userIds.delete(hashToken(token))
      else if (clients.get(request)?.kind !== 'person') userIds.set(hashToken(token), userId)
    },
  }
}
