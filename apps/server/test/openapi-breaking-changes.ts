import type { JsonSchema } from '@community/testing'

interface Content {
  content?: Record<string, { schema: JsonSchema }>
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
const jsonOf = (content?: Content) => Object.values(content?.content ?? {})[0]?.schema ?? {}
const isPublic = ({ security }: Operation) => !security?.length || security.some((way) => Object.keys(way).length === 0)

const LIMITS = { maxLength: 1, maximum: 1, maxItems: 1, minLength: -1, minimum: -1, minItems: -1 } as const

/** Collects what a client of the document `before` could stumble over in the document `after`. */
class Comparison {
  readonly problems: string[] = []
  readonly #before: ComparedDocument
  readonly #after: ComparedDocument

  constructor(before: ComparedDocument, after: ComparedDocument) {
    this.#before = before
    this.#after = after
  }

  #resolve(document: ComparedDocument, schema: JsonSchema): JsonSchema {
    return schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
  }

  #check(isFine: boolean, problem: string): void {
    if (!isFine) this.problems.push(problem)
  }

  /** What was accepted before must be accepted. */
  request(was: JsonSchema, is: JsonSchema, at: string): void {
    const [before, after] = [this.#resolve(this.#before, was), this.#resolve(this.#after, is)]
    const types = typesOf(after)
    this.#check(types.length === 0 || typesOf(before).every((type) => types.includes(type)), `${at} has another type`)
    this.#check(!after.enum || (before.enum ?? [{}]).every((value) => after.enum?.includes(value)), `${at} allows less`)
    this.#check(after.pattern === undefined || after.pattern === before.pattern, `${at} has another pattern`)
    for (const [limit, sign] of Object.entries(LIMITS) as [keyof typeof LIMITS, number][]) {
      const [old = sign * Number.POSITIVE_INFINITY, now] = [before[limit], after[limit]]
      this.#check(now === undefined || sign * now >= sign * old, `${at} has a stricter ${limit}`)
    }
    for (const name of after.required ?? [])
      this.#check(before.required?.includes(name) ?? false, `${at}.${name} is required`)
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const now = after.properties?.[name]
      this.#check(now !== undefined, `${at}.${name} is gone`)
      if (now) this.request(schema, now, `${at}.${name}`)
    }
    if (before.items && after.items) this.request(before.items, after.items, `${at}[]`)
    this.#options(before, after, (old, now) => this.request(old, now, at))
  }

  /** What was promised before must be there. */
  response(was: JsonSchema, is: JsonSchema, at: string): void {
    const [before, after] = [this.#resolve(this.#before, was), this.#resolve(this.#after, is)]
    const types = typesOf(before)
    this.#check(types.length === 0 || typesOf(after).every((type) => types.includes(type)), `${at} has another type`)
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const now = after.properties?.[name]
      this.#check(now !== undefined, `${at}.${name} is gone`)
      const isLess = before.required?.includes(name) && !after.required?.includes(name)
      this.#check(!isLess || now === undefined, `${at}.${name} may be absent`)
      if (now) this.response(schema, now, `${at}.${name}`)
    }
    if (before.items && after.items) this.response(before.items, after.items, `${at}[]`)
    this.#options(before, after, (old, now) => this.response(old, now, at))
  }

  #options(before: JsonSchema, after: JsonSchema, compare: (was: JsonSchema, is: JsonSchema) => void): void {
    const now = after.anyOf ?? after.oneOf ?? []
    for (const [index, option] of (before.anyOf ?? before.oneOf ?? []).entries()) compare(option, now[index] ?? after)
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
    if (after.requestBody) this.request(jsonOf(before.requestBody), jsonOf(after.requestBody), `${line} body`)
    for (const [status, response] of Object.entries(before.responses).filter(([key]) => key.startsWith('2'))) {
      const served = after.responses[status]
      this.#check(served !== undefined, `${line} has no ${status}`)
      if (served) this.response(jsonOf(response), jsonOf(served), `${line} ${status}`)
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
