import { contract, routesOf } from '@community/contract'
import type { FastifyRequest } from 'fastify'

const procedures = new Set(routesOf(contract).map(([name]) => name))

/** The route's pattern, so that ids do not create series; for tRPC the procedure, if it exists. */
export function routeNameOf({ routeOptions, params }: FastifyRequest): string {
  if (!routeOptions.url) return 'unknown'
  if (!routeOptions.url.startsWith('/trpc/')) return routeOptions.url
  const { path = '' } = params as { path?: string }
  if (path.includes(',')) return '/trpc/batch'
  return procedures.has(path) ? `/trpc/${path}` : '/trpc/unknown'
}
