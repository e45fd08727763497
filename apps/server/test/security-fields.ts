import { z } from 'zod'
import { type ProcedureName, OBJECTS, type CallerName } from './permissions-outcomes.ts'
import { PERMISSIONS } from './permissions.ts'
import { type CallResult, type Transport, tokenOf } from './permissions-transports.ts'
import { ROUTES } from './permissions-routes.ts'
import { inputOf, type PermissionCase, permissionCase } from './permissions-inputs.ts'
import type { PermissionFixture } from './permissions-fixture.ts'

/** The part of JSON Schema that the contract's inputs use. */
interface Schema {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  $ref?: string
  $defs?: Record<string, Schema>
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  pattern?: string
  format?: string
  maxLength?: number
  maxItems?: number
  minimum?: number
}

/** A field of a procedure's input; `0` in its path stands for any entry of a list. */
export interface Field {
  call: ProcedureName
  path: string[]
  /** Its schema, with all nested alternatives merged. */
  schema: Schema
  /** The schema of the whole input. */
  root: Schema
}

/** The schema merged with its references and alternatives; undefined if none has the type. */
function findTyped(root: Schema, schema: Schema, type: string): Schema | undefined {
  const target = schema.$ref ? { ...root.$defs?.[schema.$ref.split('/').at(-1) ?? ''], ...schema, $ref: '' } : schema
  const parts = [...(target.anyOf ?? []), ...(target.allOf ?? [])].map((part) => findTyped(root, part, type) ?? part)
  const all = [target, ...parts]
  if (!all.some((option) => option.type === type && option.enum === undefined && option.const === undefined))
    return undefined
  const { anyOf: _any, allOf: _all, ...merged } = Object.assign({}, ...parts, target) as Schema
  return { ...merged, type }
}

function fieldsIn(call: ProcedureName, root: Schema, type: string, schema = root, path: string[] = []): Field[] {
  const own = path.length > 0 ? findTyped(root, schema, type) : undefined
  const list = findTyped(root, schema, 'array')
  const object = findTyped(root, schema, 'object')
  return [
    ...(own ? [{ call, path, schema: own, root }] : []),
    ...(list?.items ? fieldsIn(call, root, type, list.items, [...path, '0']) : []),
    ...Object.entries(object?.properties ?? {}).flatMap(([key, inner]) =>
      fieldsIn(call, root, type, inner, [...path, key]),
    ),
  ]
}

const fieldsOfType = (type: string): Field[] =>
  [...ROUTES].flatMap(([name, { input }]) => {
    // Casts: the names come from the contract, and the value is a JSON schema.
    const root = input && (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema)
    return root ? fieldsIn(name as ProcedureName, root, type) : []
  })

/** Every string field of every procedure, and every list. */
export const TEXT_FIELDS = fieldsOfType('string')
export const LIST_FIELDS = fieldsOfType('array')
/** Every nested object. */
export const OBJECT_FIELDS = fieldsOfType('object')

export const isWrite = ({ call }: Field): boolean => ROUTES.get(call)?.method !== 'GET'
export const nameOf = ({ call, path }: Field): string => `${call} ${path.join('.')}`

/** One text field per distinct schema; the others are validated the same way. */
export const TEXT_FIELD_KINDS = [
  ...new Map(
    TEXT_FIELDS.map((field) => [`${JSON.stringify(field.schema)} ${field.path.at(-1)}`, field] as const),
  ).values(),
]

/** A valid value for a sibling of the tested field. */
function sampleOf(root: Schema, schema: Schema): unknown {
  const object = findTyped(root, schema, 'object')
  if (object)
    return Object.fromEntries(
      Object.entries(object.properties ?? {}).map(([key, inner]) => [key, sampleOf(root, inner)]),
    )
  const target = schema.$ref ? (root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? schema) : schema
  if (target.default !== undefined && target.default !== '') return target.default
  if (target.enum) return target.enum[0]
  if (target.type === 'integer' || target.type === 'number') return Math.max(1, target.minimum ?? 1)
  return target.example ?? 'Words'
}

function replaceAt(root: Schema, schema: Schema, at: unknown, [step, ...rest]: string[], value: unknown): unknown {
  if (step === undefined) return value
  const list = findTyped(root, schema, 'array')
  if (list?.items && step === '0') {
    const first: unknown = Array.isArray(at) ? at[0] : undefined
    return [replaceAt(root, list.items, first, rest, value)]
  }
  const inner = findTyped(root, schema, 'object')?.properties?.[step] ?? {}
  const around = (at ?? sampleOf(root, schema)) as Record<string, unknown>
  return { ...around, [step]: replaceAt(root, inner, around[step], rest, value) }
}

/** The input with this value at the field; omitted parents and siblings get sample values. */
export const inputWith = ({ root, path }: Field, input: object, value: unknown): object =>
  replaceAt(root, root, input, path, value) as object

const CALLERS: CallerName[] = ['chef', 'stranger', 'admin', 'visitor', 'member', 'otherChef']

/** A case in which the procedure is allowed. */
export function allowedCase(fixture: PermissionFixture, call: ProcedureName): PermissionCase {
  for (const object of OBJECTS)
    for (const caller of CALLERS)
      if (PERMISSIONS[call][object]?.[caller] === 'yes') return permissionCase(fixture, caller, object)
  throw new Error(`Nobody may call ${call}`)
}

/** A valid input for the case. */
export const validInputAt = (call: ProcedureName, testCase: PermissionCase): object => ({ ...inputOf(call, testCase) })

/** Calls the field's procedure as an allowed caller with this value in an otherwise valid input. */
export function callWithValue(
  fixture: PermissionFixture,
  transport: Transport,
  field: Field,
  value: unknown,
): Promise<CallResult> {
  const testCase = allowedCase(fixture, field.call)
  return transport(tokenOf(testCase), field.call, inputWith(field, validInputAt(field.call, testCase), value))
}
