import type { FastifyInstance } from 'fastify'

/** Records the routes registered from now on. Returns a function that names the methods of a path; none for an unknown path. */
export function recordMethods(app: FastifyInstance): (path: string) => string[] {
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    // A wildcard serves files, or a transport that answers wrong methods itself.
    if (url.includes('*')) return
    const methods = methodsByUrl.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    methodsByUrl.set(url, methods)
  })
  let routes: { pattern: RegExp; methods: Set<string> }[] | undefined
  return (path) => {
    routes ??= Array.from(methodsByUrl, ([url, methods]) => ({
      pattern: new RegExp(`^${url.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+')}/?$`),
      methods,
    }))
    const found = routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods])
    return [...new Set(found)].toSorted()
  }
}
