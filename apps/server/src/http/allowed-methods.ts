import type { FastifyInstance } from 'fastify'

/**
 * Records the routes registered from now on. Returns a function that names the methods of a path; none for an unknown path. A path
 * without parameters wins over one with a parameter that matches it too: `DELETE /users/profile` is 405, not an invalid id.
 */
export function recordMethods(app: FastifyInstance): (path: string) => string[] {
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    // A wildcard serves files, or a transport that answers wrong methods itself.
    if (url.includes('*')) return
    const methods = methodsByUrl.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    methodsByUrl.set(url, methods)
  })
  const withoutParameter = (url: string) => methodsByUrl.get((url.split('?', 1)[0] ?? '').replace(/\/$/, ''))
  app.addHook('onRequest', async ({ url, method, routeOptions }, reply) => {
    if (!routeOptions.url?.includes(':') || withoutParameter(url)?.has(method) !== false) return
    reply.callNotFound()
    await reply
  })
  let routes: { pattern: RegExp; methods: Set<string> }[] | undefined
  return (path) => {
    routes ??= Array.from(methodsByUrl, ([url, methods]) => ({
      pattern: new RegExp(`^${url.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+')}/?$`),
      methods,
    }))
    const matching = routes.filter(({ pattern }) => pattern.test(path)).map(({ methods }) => methods)
    const exact = withoutParameter(path)
    const found = exact ? [exact] : matching
    return [...new Set(found.flatMap((methods) => [...methods]))].toSorted()
  }
}
