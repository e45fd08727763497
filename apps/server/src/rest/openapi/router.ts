import type { Contract, Route } from '@community/contract'
import { initTRPC } from '@trpc/server'
import type { OpenApiMeta } from 'trpc-to-openapi'
import { z } from 'zod'

// No dots: Swagger UI escapes them in its links.
const operationId = (domain: string, name: string): string => domain + name.charAt(0).toUpperCase() + name.slice(1)

const successSchema = (output: z.ZodType) =>
  z.object({ success: z.literal(true), message: z.string().describe('An English sentence'), data: output })

/** The generator drops the body of DELETE, so these routes are generated as PATCH, which no route uses, and renamed afterwards. */
export const generatedMethod = (route: Route) => (route.method === 'DELETE' ? 'PATCH' : route.method)

/** A router without implementations, from which the OpenAPI document is generated. */
export function createDocumentedRouter(contract: Contract) {
  const t = initTRPC.meta<OpenApiMeta>().create()
  const procedureFor = (domain: string, name: string, route: Route) => {
    const meta = {
      openapi: {
        method: generatedMethod(route),
        path: route.path as `/${string}`,
        operationId: operationId(domain, name),
        summary: route.summary,
        tags: [domain],
        protect: route.access !== 'visitor',
        successDescription: route.successMessage,
      },
    } satisfies OpenApiMeta
    // The generator cannot take path parameters out of an object schema with refinements.
    const shape = route.input?.shape
    const input = shape ? (route.method === 'GET' ? z.object(shape) : z.object(shape).strict()) : undefined
    const base = t.procedure.meta(meta)
    const typed = (input ? base.input(input) : base).output(successSchema(route.output)) as unknown as typeof base
    return route.method === 'GET' ? typed.query(() => null) : typed.mutation(() => null)
  }
  return t.router(
    Object.fromEntries(
      Object.entries(contract).map(([domain, routes]) => [
        domain,
        t.router(
          Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, procedureFor(domain, name, route)])),
        ),
      ]),
    ),
  )
}
