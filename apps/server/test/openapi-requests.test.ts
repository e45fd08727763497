import { contract, pathParametersOf, type Route, routesOf } from '@community/contract'
import type { JsonSchema } from '@community/testing'
import { fromSchema } from '@community/testing/from-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../src/rest/docs-ui.ts'
import { DOCUMENT_SETTINGS } from './response-checker.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
  schema: JsonSchema
}
interface Operation {
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema> }
}

const document = openApiDocument(DOCUMENT_SETTINGS) as Document

/** A copy without references. */
const resolved = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_key, value: JsonSchema) =>
    typeof value?.$ref === 'string' ? document.components.schemas[value.$ref.split('/').at(-1) as string] : value,
  ) as JsonSchema

const operationOf = ({ method, path }: Route): Operation => document.paths[path]?.[method.toLowerCase()] as Operation

/** Path, query and body in one schema, as the contract's input has them. */
function inputSchema(route: Route): JsonSchema {
  const { parameters = [], requestBody } = operationOf(route)
  const fields = parameters.filter((parameter) => parameter.in !== 'header')
  const body = resolved(requestBody?.content['application/json']?.schema ?? { type: 'object' })
  return {
    ...body,
    properties: {
      ...body.properties,
      ...Object.fromEntries(fields.map(({ name, schema }) => [name, resolved(schema)])),
    },
    required: [...(body.required ?? []), ...fields.flatMap(({ name, required }) => (required ? [name] : []))],
  }
}

/** The rules that only the description states. */
const DESCRIBED = {
  confirmPassword: (input: Record<string, unknown>) => input['password'],
  // Tokens for administration last 30 days at most.
  expiresInDays: () => 30,
}

type Fields = Record<string, ReturnType<typeof JSON.parse>>
const withAudience = ({ challengeId, ...input }: Fields) =>
  challengeId === undefined ? { ...input, audience: 'chefs' } : { ...input, challengeId, audience: 'challenge' }
const withPreferences = ({ settings, preferences }: Fields): Fields => ({
  ...(settings && {
    settings: { ...settings, timeZone: 'Africa/Casablanca', quietHours: { from: '22:00', to: '07:00' } },
  }),
  // Once for each kind, and the mails about safety at once.
  ...(preferences?.[0] && { preferences: [{ ...preferences[0], kind: 'account.warned', mail: 'instant' }] }),
})
/** The rules between fields that only the descriptions state, by procedure. */
const RELATED: Record<string, (input: Fields) => Fields> = {
  'admin.announce': withAudience,
  'admin.countRecipients': withAudience,
  'notifications.read': ({ ids, until, ...input }) =>
    until === undefined ? { ...input, ids: ids ?? [crypto.randomUUID()] } : { ...input, until },
  'notifications.setPreferences': withPreferences,
  'notifications.setLinkedPreferences': ({ token, ...changes }) => ({ token, ...withPreferences(changes) }),
}

describe.each(routesOf(contract))('the request of %s', (name, route) => {
  it('has a description of itself and of every parameter', () => {
    const { description = '', parameters = [] } = operationOf(route)
    expect(description.length).toBeGreaterThan(20)
    expect(parameters.filter((parameter) => !parameter.description)).toEqual([])
  })

  it('documents its path parameters', () => {
    const inPath = (operationOf(route).parameters ?? []).filter((parameter) => parameter.in === 'path')
    expect(inPath.map(({ name }) => name).toSorted()).toEqual(pathParametersOf(route.path).toSorted())
  })

  it('is accepted by the server’s schema if it matches the document', () => {
    const { input } = route
    if (!input) return
    const anyInput = fromSchema(inputSchema(route), () => undefined) as fc.Arbitrary<Record<string, unknown>>
    fc.assert(
      fc.property(anyInput, (generated) => {
        const described = Object.entries(DESCRIBED).filter(([field]) => field in generated)
        const single = { ...generated, ...Object.fromEntries(described.map(([field, of]) => [field, of(generated)])) }
        const value = RELATED[name]?.(single) ?? single
        // A pattern cannot decide which host names are valid Punycode.
        fc.pre(!/xn--/i.test(JSON.stringify(value)))
        const { error } = input.safeParse(value)
        expect(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []).toEqual([])
      }),
      { numRuns: 15 },
    )
  })
})
