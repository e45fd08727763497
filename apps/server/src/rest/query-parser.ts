import { registerMessage } from '@community/contract/registered-messages'
import { createMessage } from '@community/contract/message'
import { TRPCError } from '@trpc/server'
import { z } from 'zod'

interface JsonSchema {
  type?: string
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

const typeOf = (schema: JsonSchema): string | undefined =>
  schema.type ?? [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map(typeOf).find((type) => type && type !== 'null')

const PARSERS: Record<string, (text: string) => unknown> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text),
  number: (text) => (text.trim() === '' ? text : Number(text)),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

type Query = Record<string, string | string[] | undefined>

interface Field {
  key: string
  isList: boolean
  parse(text: string): unknown
}

function createFields(input: z.ZodObject): Field[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties as Record<string, JsonSchema>).map(([key, schema]) => {
    const type = typeOf(schema)
    return { key, isList: type === 'array', parse: PARSERS[type ?? ''] ?? ((text: string): unknown => text) }
  })
}

interface ParsedQuery {
  values: Record<string, unknown>
  /** The parameters that are no lists and were given more than once. */
  repeated: string[]
}

/**
 * Returns a function that converts query strings to the JSON types of their schema, so that the schemas stay strict for tRPC, which
 * sends JSON. Lists are separated by commas. Empty values are absent; values that the schema does not name are ignored.
 */
export function createQueryParser(input: z.ZodObject | undefined): (query: Query) => ParsedQuery {
  // Created at the first request: those of all routes take a tenth of the start time.
  let fields: Field[] | undefined
  return (query) => {
    fields ??= input ? createFields(input) : []
    const values: Record<string, unknown> = {}
    const repeated: string[] = []
    for (const { key, isList, parse } of fields) {
      const value = query[key]
      if (value === undefined || value === '') continue
      if (isList) values[key] = [value].flat().flatMap((text) => text.split(','))
      else if (Array.isArray(value)) repeated.push(key)
      else values[key] = parse(value)
    }
    return { values, repeated }
  }
}

const repeatedMessage = (field: string): string =>
  registerMessage(createMessage('{field} can be given only once', { field }))

/** Reports repeated query parameters, together with the issues of the input's other fields. */
export function repeatedQueryError(schema: z.ZodObject, input: object, repeated: string[]): TRPCError | undefined {
  if (repeated.length === 0) return undefined
  const others = schema.safeParse(input).error?.issues.filter(({ path }) => !repeated.includes(String(path[0]))) ?? []
  const issues = repeated.map((field) => ({
    code: 'custom' as const,
    path: [field],
    message: repeatedMessage(field),
    params: { code: 'REPEATED' },
  }))
  return new TRPCError({ code: 'BAD_REQUEST', cause: new z.ZodRealError([...issues, ...others]) })
}
