import { contract, type Route, routesOf } from '@community/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Client } from './client.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  example?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Content {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  schema: Schema
  example?: unknown
}

interface DescribedOperation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Content> }
  security?: object[]
  responses: Record<string, { content?: Record<string, Content> }>
}

export interface ApiDocument {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, Schema> }
}

export interface Operation extends DescribedOperation {
  method: string
  path: string
  /** Its name at the other door, `teams.create`; null where it has only one. */
  procedure: string | null
  access: Route['access'] | null
}

const METHODS = new Set(['get', 'post', 'put', 'delete', 'patch', 'head', 'options'])

/** Every operation that a document describes. */
export function operationsOf({ paths }: ApiDocument): Operation[] {
  const known = new Map<string, { name: string; route: Route }>()
  for (const [name, route] of routesOf(contract)) known.set(`${route.method} ${route.path}`, { name, route })
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => {
        const found = known.get(`${method.toUpperCase()} ${path}`)
        return {
          ...operation,
          method: method.toUpperCase(),
          path,
          procedure: found?.name ?? null,
          access: found?.route.access ?? null,
        }
      }),
  )
}

export async function readDocument(client: Client): Promise<ApiDocument> {
  const { status, body } = await client.call('GET /openapi.json')
  if (status !== 200) throw new Error(`the document is answered with ${status}`)
  return body as ApiDocument
}

const pointer = (...words: string[]) =>
  words.map((word) => encodeURIComponent(word.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')

/** Judges values by the document's schemas. */
export class Checker {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false })
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(document: ApiDocument) {
    formats.default(this.#ajv)
    this.#ajv.addSchema(document, 'document')
  }

  /** What is wrong with a value at a schema of the document; null when nothing is. */
  at(value: unknown, ...words: string[]): string | null {
    const at = pointer(...words)
    const validate = this.#compiled.get(at) ?? this.#ajv.compile({ $ref: `document#/${at}` })
    this.#compiled.set(at, validate)
    return validate(value) ? null : `${this.#ajv.errorsText(validate.errors)} at ${words.join('/')}`
  }

  /** What is wrong with an answer of REST. */
  answer({ method, path, responses }: Operation, status: number, body: unknown): string | null {
    const response = responses[status]
    if (!response) return `the status ${status} is not documented`
    if (!response.content?.['application/json']) return null
    return this.at(body, ...schemaWords(method, path, status))
  }

  /** What is wrong with an answer of tRPC: the data of REST, or its failure inside an error. */
  procedureAnswer({ method, path, responses }: Operation, status: number, body: unknown): string | null {
    const { result, error } = (body ?? {}) as Partial<Record<'result' | 'error', { data?: { failure?: unknown } }>>
    if (status < 300) {
      const [documented] = Object.keys(responses).filter((one) => one.startsWith('2'))
      return this.at(result?.data, ...schemaWords(method, path, Number(documented)), 'properties', 'data')
    }
    if (!responses[status]) return `the status ${status} is not documented`
    return this.at(error?.data?.failure ?? body, 'components', 'schemas', 'Failure')
  }
}

const schemaWords = (method: string, path: string, status: number): string[] => [
  'paths',
  path,
  method.toLowerCase(),
  'responses',
  String(status),
  'content',
  'application/json',
  'schema',
]
