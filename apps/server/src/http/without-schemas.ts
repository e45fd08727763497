import type { FastifyServerOptions } from 'fastify'

const compile = () => () => {
  throw new Error('The input is validated and the output serialized by the contract’s zod schemas')
}

/** No route has a JSON schema. Keeps Fastify from loading Ajv and fast-json-stringify, which the bundle does not have. */
export const WITHOUT_SCHEMAS: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: { buildValidator: compile, buildSerializer: compile },
}
