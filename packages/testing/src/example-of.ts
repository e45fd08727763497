import { z } from 'zod'

/** The part of JSON Schema that tests use. */
export interface JsonSchema {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  example?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  items?: JsonSchema
  contains?: JsonSchema
  then?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

const FORMATS: Record<string, string> = {
  uuid: '00000000-0000-4000-8000-000000000001',
  'date-time': '2026-11-01T10:00:00.000Z',
  uri: 'https://example.ma/',
}

/** Turns `personalExperience` into "Personal experience". */
function toSentenceCase(field: string): string {
  const words = field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function textFor(field: string, { format, minLength = 0, maxLength = Infinity }: JsonSchema): string {
  const known = FORMATS[format ?? '']
  if (known !== undefined) return known
  return (toSentenceCase(field) || 'Text').padEnd(minLength, ' and more').slice(0, maxLength)
}

/** Creates a generator of examples that resolves references within one document. */
function createGenerator(root: JsonSchema): (schema: JsonSchema, field: string) => unknown {
  const example = (schema: JsonSchema, field: string): unknown => {
    if (schema.example !== undefined) return schema.example
    if (schema.$ref !== undefined) {
      const named = schema.$ref === '#' ? root : root.$defs?.[schema.$ref.replace('#/$defs/', '')]
      if (!named) throw new Error(`Unresolved $ref ${schema.$ref}`)
      return example(named, field)
    }
    if ('const' in schema) return schema.const
    if (schema.enum) return schema.enum[0]
    const choices = schema.anyOf ?? schema.oneOf
    // Prefers null: tests set the fields they need.
    if ([schema, ...(choices ?? [])].some(({ type }) => type === 'null' || type?.includes('null'))) return null
    if (choices) return example(choices[0] ?? {}, field)
    if (schema.allOf?.[0]) return example(schema.allOf[0], field)
    switch (schema.type) {
      case 'string':
        return textFor(field, schema)
      case 'integer':
      case 'number':
        return Math.max(schema.minimum ?? 0, 0)
      case 'boolean':
        return false
      case 'array':
        return Array.from({ length: schema.minItems ?? 0 }, () => example(schema.items ?? {}, field))
      case 'object': {
        const { properties = {}, required = [] } = schema
        return Object.fromEntries(required.map((name) => [name, example(properties[name] ?? {}, name)]))
      }
      default:
        return null
    }
  }
  return example
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
}

/**
 * The smallest value that a schema describes: required fields only, null where that is allowed, the schema's own `example` where it has
 * one. May violate rules that JSON Schema cannot express, such as a date in the future.
 */
export function exampleOf<S extends z.ZodType>(schema: S): z.output<S> {
  const document = jsonSchemaOf(schema, 'output')
  return createGenerator(document)(document, '') as z.output<S>
}

/** Like `exampleOf`, for the schema's input type. */
export function exampleInputOf<S extends z.ZodType>(schema: S): z.input<S> {
  const document = jsonSchemaOf(schema, 'input')
  return createGenerator(document)(document, '') as z.input<S>
}

/** The JSON schema of a procedure's input. */
export const inputSchemaOf = (schema: z.ZodType): JsonSchema => jsonSchemaOf(schema, 'input')
