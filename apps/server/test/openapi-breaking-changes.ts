import type { JsonSchema } from '@community/testing'
import { mergeAllOf } from './merge-all-of.ts'

interface Content {
  content?: Record<string, { schema?: JsonSchema }>
}
interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: JsonSchema
}
interface Operation {
  parameters?: Parameter[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Content>
  security?: object[]
}
export interface ComparedDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema> }
}

const typesOf = ({ type }: JsonSchema): string[] => (type === undefined ? [] : [type].flat())
const optionsOf = (schema: JsonSchema): JsonSchema[] => schema.anyOf ?? schema.oneOf ?? [schema]
const hasOptions = ({ anyOf, oneOf }: JsonSchema) => (anyOf ?? oneOf) !== undefined
const isPublic = ({ security }: Operation) => !security?.length || security.some((way) => Object.keys(way).length === 0)
const valuesOf = (schema: JsonSchema): unknown[] | undefined =>
  schema.enum ?? ('const' in schema ? [schema.const] : undefined)

const LIMITS = { maxLength: 1, maximum: 1, maxItems: 1, minLength: -1, minimum: -1, minItems: -1 } as const

/** Collects the changes from the document `before` to `after` that break clients of `before`. */
class Comparison {
  problems: string[] = []
  readonly #before: ComparedDocument
  readonly #after: ComparedDocument

  constructor(before: ComparedDocument, after: ComparedDocument) {
    this.#before = before
    this.#after = after
  }

  #check(isFine: boolean, problem: string): void {
    if (!isFine) this.problems.push(problem)
  }

  /** Returns the problems of a comparison without collecting them. */
  #try(compare: () => void): string[] {
    const known = this.problems
    this.problems = []
    compare()
    const found = this.problems
    this.problems = known
    return found
  }

  /** Each option needs a counterpart at any position. If it has none, collects the problems of the most similar one. */
  #match(options: JsonSchema[], others: JsonSchema[], compare: (option: JsonSchema, other: JsonSchema) => void): void {
    for (const option of options) {
      const attempts = others.map((other) => this.#try(() => compare(option, other)))
      const [best = []] = attempts.toSorted((a, b) => a.length - b.length)
      this.problems.push(...best)
    }
  }

  /** Checks that inputs accepted before are still accepted. */
  request(was: JsonSchema, is: JsonSchema, at: string): void {
    const [before, after] = [mergeAllOf(this.#before, was), mergeAllOf(this.#after, is)]
    if (hasOptions(before) || hasOptions(after))
      return this.#match(optionsOf(before), optionsOf(after), (old, now) => this.request(old, now, at))
    const types = typesOf(after)
    this.#check(types.length === 0 || typesOf(before).every((type) => types.includes(type)), `${at} has another type`)
    const [old, now] = [valuesOf(before), valuesOf(after)]
    this.#check(!now || (old ?? [{}]).every((value) => now.includes(value)), `${at} allows less`)
    for (const key of ['pattern', 'format'] as const)
      this.#check(after[key] === undefined || after[key] === before[key], `${at} has another ${key}`)
    for (const [limit, sign] of Object.entries(LIMITS) as [keyof typeof LIMITS, number][]) {
      const [least = sign * Number.POSITIVE_INFINITY, most] = [before[limit], after[limit]]
      this.#check(most === undefined || sign * most >= sign * least, `${at} has a stricter ${limit}`)
    }
    this.#check(after.uniqueItems !== true || before.uniqueItems === true, `${at} has stricter uniqueItems`)
    for (const name of after.required ?? [])
      this.#check(before.required?.includes(name) ?? false, `${at}.${name} is required`)
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const property = after.properties?.[name]
      this.#check(property !== undefined, `${at}.${name} is gone`)
      if (property) this.request(schema, property, `${at}.${name}`)
    }
    if (before.items && after.items) this.request(before.items, after.items, `${at}[]`)
  }

  /** Checks that fields promised before are still there. */
  response(was: JsonSchema, is: JsonSchema, at: string): void {
    const [before, after] = [mergeAllOf(this.#before, was), mergeAllOf(this.#after, is)]
    if (hasOptions(before) || hasOptions(after))
      return this.#match(optionsOf(after), optionsOf(before), (now, old) => this.response(old, now, at))
    const types = typesOf(before)
    const hasType =
      types.length === 0 || (typesOf(after).length > 0 && typesOf(after).every((type) => types.includes(type)))
    this.#check(hasType, `${at} has another type`)
    this.#check(before.format === undefined || after.format === before.format, `${at} has another format`)
    // Enums of responses are open, but clients rely on the codes that they know, and distinguish objects by constants.
    const [old = [], now = []] = [valuesOf(before), valuesOf(after)]
    const isClosed = at.endsWith('.code') || 'const' in before
    this.#check(!isClosed || old.every((value) => now.includes(value)), `${at} has other values`)
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const property = after.properties?.[name]
      this.#check(property !== undefined, `${at}.${name} is gone`)
      const isLess = before.required?.includes(name) && !after.required?.includes(name)
      this.#check(!isLess || property === undefined, `${at}.${name} may be absent`)
      if (property) this.response(schema, property, `${at}.${name}`)
    }
    if (before.items && after.items) this.response(before.items, after.items, `${at}[]`)
  }

  #content(before: Content, after: Content, at: string, compare: (was: JsonSchema, is: JsonSchema) => void): void {
    for (const [type, { schema = {} }] of Object.entries(before.content ?? {})) {
      const now = after.content?.[type]
      this.#check(now !== undefined, `${at} is no longer ${type}`)
      if (now) compare(schema, now.schema ?? {})
    }
  }

  operation(before: Operation, after: Operation, line: string): void {
    this.#check(isPublic(after) || !isPublic(before), `${line} needs a token`)
    const keyOf = (parameter: Parameter) => `${parameter.in} ${parameter.name}`
    const old = new Map((before.parameters ?? []).map((parameter) => [keyOf(parameter), parameter]))
    const now = new Map((after.parameters ?? []).map((parameter) => [keyOf(parameter), parameter]))
    for (const [key, parameter] of now)
      this.#check(!parameter.required || (old.get(key)?.required ?? false), `${line} requires ${key}`)
    for (const [key, { schema }] of old) {
      const parameter = now.get(key)
      this.#check(parameter !== undefined, `${line} ${key} is gone`)
      if (parameter) this.request(schema, parameter.schema, `${line} ${key}`)
    }
    this.#check(!after.requestBody?.required || (before.requestBody?.required ?? false), `${line} requires a body`)
    const body = `${line} body`
    this.#content(before.requestBody ?? {}, after.requestBody ?? {}, body, (was, is) => this.request(was, is, body))
    for (const [status, response] of Object.entries(before.responses)) {
      const served = after.responses[status]
      const at = `${line} ${status}`
      this.#check(served !== undefined, `${line} has no ${status}`)
      if (served) this.#content(response, served, at, (was, is) => this.response(was, is, at))
    }
  }
}

/** The breaking changes between two documents, each beginning with its operation: `GET /teams 200.data.teams is gone`. */
export function findBreakingChanges(before: ComparedDocument, after: ComparedDocument): string[] {
  const comparison = new Comparison(before, after)
  for (const [path, item] of Object.entries(before.paths))
    for (const [method, operation] of Object.entries(item)) {
      const line = `${method.toUpperCase()} ${path}`
      const now = after.paths[path]?.[method]
      if (now) comparison.operation(operation, now, line)
      else comparison.problems.push(`${line} is gone`)
    }
  return comparison.problems
}
