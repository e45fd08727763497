import type { JsonSchema } from './example-of.ts'
import fc from 'fast-check'

/** An arbitrary for a field that needs product values, such as ids; undefined for fields that the schema suffices for. */
export type FieldOverride = (field: string, schema: JsonSchema, isNested: boolean) => fc.Arbitrary<unknown> | undefined

const lettersOf = (letters: string) => fc.string({ unit: fc.constantFrom(...letters.split('')) })
const ANY_TEXT = fc.oneof(
  { weight: 4, arbitrary: lettersOf('abcdefgh ijklmnop') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
  { weight: 1, arbitrary: lettersOf('ابتثجحخدذر') },
)
const ANY_TIME = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })

function textFrom({ minLength = 0, maxLength = 200, pattern, format, example }: JsonSchema): fc.Arbitrary<unknown> {
  if (format === 'date-time') return ANY_TIME.map((date) => date.toISOString())
  if (format === 'uuid') return fc.uuid({ version: 4 })
  const text =
    pattern === undefined
      ? ANY_TEXT.map((any) => any.padEnd(minLength, 'word ').slice(0, Math.min(maxLength, 2000)))
      : fc
          .stringMatching(new RegExp(pattern), { size: 'small' })
          .filter(({ length }) => length >= minLength && length <= maxLength)
  return example === undefined ? text : fc.oneof(fc.constant(example), text)
}

/** An arbitrary for the values of a JSON schema without references. */
export function fromSchema(
  schema: JsonSchema,
  override: FieldOverride,
  field = '',
  isNested = false,
): fc.Arbitrary<unknown> {
  const overridden = override(field, schema, isNested)
  if (overridden) return overridden
  const valuesOf = (inner: JsonSchema) => fromSchema(inner, override, field, isNested)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(valuesOf))
  if (schema.allOf?.[0]) return valuesOf(schema.allOf[0])
  const { minimum = 0, maximum = 1000, minItems = 0, maxItems = 5, items = {} } = schema
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return textFrom(schema)
    case 'integer':
      return fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31 - 1) })
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const item = valuesOf({ ...items, ...schema.contains })
      const lengths = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) }
      return schema.uniqueItems ? fc.uniqueArray(item, lengths) : fc.array(item, lengths)
    }
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => [
        name,
        fromSchema(property, override, name, field !== ''),
      ])
      return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: [...(schema.required ?? []), ...(schema.then?.required ?? [])],
      })
    }
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}
