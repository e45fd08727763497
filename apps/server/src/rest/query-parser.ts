import { z } from 'zod'

interface JsonSchema {
  type?: string
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

const typeOf = (schema: JsonSchema): string | undefined =>
  schema.type ?? [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].map(typeOf).find((type) => type && type !== 'null')

const READERS: Record<string, (text: string) => unknown> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text),
  number: (text) => (text.trim() === '' ? text : Number(text)),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
}

type Query = Record<string, string | string[] | undefined>

interface Reader {
  key: string
  isList: boolean
  read(text: string): unknown
}

function readersOf(input: z.ZodObject): Reader[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties as Record<string, JsonSchema>).map(([key, schema]) => {
    const type = typeOf(schema)
    return { key, isList: type === 'array', read: READERS[type ?? ''] ?? ((text: string): unknown => text) }
  })
}

/**
 * A URL holds only text. Reads each query value as its schema's JSON type, so that schemas stay strict and right for
 * tRPC, which sends real JSON. Empty values are absent; values the schema does not name are ignored.
 */
export function createQueryParser(input: z.ZodObject | undefined): (query: Query) => Record<string, unknown> {
  // Made at the first call: all of them together are a tenth of a start.
  let readers: Reader[] | undefined
  return (query) => {
    readers ??= input ? readersOf(input) : []
    const values: Record<string, unknown> = {}
    for (const { key, isList, read } of readers) {
      const value = query[key]
      if (value === undefined || value === '') continue
      if (isList) values[key] = [value].flat()
      else values[key] = Array.isArray(value) ? value : read(value)
    }
    return values
  }
}
