import { contract, messageOfIssue, routesOf, unknownFieldMessage } from '@community/contract'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { messages } from '../src/locales/fr.po'

/** zod joins the names of several unknown fields; the server reports each in a message of its own. */
const idOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'unrecognized_keys') return String(unknownFieldMessage('x').template)
  const { message, template = message } = messageOfIssue(issue)
  return template
}

type Path = (string | number)[]
/** The parts of any schema's definition that lead to other schemas. */
interface Definition {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  options?: z.ZodType[]
}

/** The path of every field of a schema, including those in lists, unions and optional fields. */
function fieldsOf(schema: z.ZodType, path: Path = []): Path[] {
  const { shape, element, innerType, in: inner, options } = schema.def as Definition
  const children = [
    ...Object.entries(shape ?? {}).map(([key, field]): [z.ZodType, Path] => [field, [...path, key]]),
    ...(element ? [[element, [...path, 0]] as [z.ZodType, Path]] : []),
    ...[innerType, inner, ...(options ?? [])].flatMap((child): [z.ZodType, Path][] => (child ? [[child, path]] : [])),
  ]
  return [path, ...children.flatMap(([field, childPath]) => fieldsOf(field, childPath))]
}

const nestValue = (path: Path, value: unknown): unknown =>
  path.reduceRight<unknown>((nested, step) => (typeof step === 'number' ? [nested] : { [step]: nested }), value)

const INVALID_VALUES = [
  undefined,
  null,
  true,
  0,
  -5,
  1.5,
  1e9,
  1e300,
  Number.NaN,
  '',
  ' ',
  'x',
  'not an option',
  'two\nlines',
  'x'.repeat(6000),
  'javascript:alert(1)',
  [],
  [null],
  Array.from({ length: 200 }, () => 'x'),
  {},
  { surprise: 1, another: 2 },
]

const inputs = routesOf(contract).flatMap(([name, { input }]): [string, z.ZodType][] => (input ? [[name, input]] : []))

describe.each(inputs)('invalid inputs of %s', (_name, input) => {
  const paths = [...new Map(fieldsOf(input).map((path) => [path.join('.'), path])).values()]

  it.each(paths.map((path) => [path.join('.') || 'the whole', path] as const))(
    'have a message of ours in three languages: %s',
    (_field, path) => {
      const issues = INVALID_VALUES.flatMap((value) => input.safeParse(nestValue(path, value)).error?.issues ?? [])
      expect(issues.length).toBeGreaterThan(0)
      const untranslated = issues
        .filter((issue) => !Object.hasOwn(messages, idOf(issue)))
        .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
      expect([...new Set(untranslated)]).toEqual([])
    },
  )
})
