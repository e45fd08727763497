import fc from 'fast-check'
import type { ApiDocument, Schema } from './api-document.ts'

/** A value of the product's own for a named field, instead of any that its schema allows; undefined where there is none. */
export type Own = (field: string, schema: Schema) => fc.Arbitrary<unknown> | undefined

const oneOf = (letters: string) => fc.constantFrom(...letters.split(''))
const ANY_TEXT = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: oneOf('abcdefgh ijklmnop') }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
  { weight: 1, arbitrary: fc.string({ unit: oneOf('ابتثجحخدذر') }) },
)

function textFrom(schema: Schema): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength = 200, pattern, format, example } = schema
  if (format === 'date-time')
    return fc
      .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString())
  if (format === 'uuid') return fc.uuid({ version: 4 })
  if (pattern !== undefined) {
    const matching = fc.stringMatching(new RegExp(pattern), { size: 'small' })
    const fitting = matching.filter((text) => text.length >= minLength && text.length <= maxLength)
    return example === undefined ? fitting : fc.oneof(fc.constant(example), fitting)
  }
  const padded = ANY_TEXT.map((text) => text.padEnd(minLength, 'word ').slice(0, Math.min(maxLength, 2000)))
  return example === undefined ? padded : fc.oneof(fc.constant(example), padded)
}

/** Values that a schema of the document allows. */
export function fromSchema(document: ApiDocument, schema: Schema, own: Own, field = ''): fc.Arbitrary<unknown> {
  const known = own(field, schema)
  if (known) return known
  const inner = (one: Schema, name = field) => fromSchema(document, one, own, name)
  if (schema.$ref !== undefined) {
    const named = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')]
    if (!named) throw new Error(`nothing is at ${schema.$ref}`)
    return inner(named)
  }
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => inner(choice)))
  if (schema.allOf?.[0]) return inner(schema.allOf[0])
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'string':
      return textFrom(schema)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) })
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const { minItems = 0, maxItems = 5, items = {} } = schema
      return fc.array(inner(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) })
    }
    case 'object': {
      const properties = Object.entries(schema.properties ?? {})
      const model = Object.fromEntries(properties.map(([name, one]) => [name, inner(one, name)]))
      return fc.record(model, { requiredKeys: schema.required ?? [] })
    }
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}
