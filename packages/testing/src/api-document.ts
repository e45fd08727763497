import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

export interface Content {
  schema: object
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

/** The parts of an OpenAPI operation that tests read. */
export interface OperationObject {
  operationId: string
  parameters?: { name: string; in: string; example?: unknown }[]
  requestBody?: { content: Record<string, Content> }
  security?: object[]
  responses: Record<string, { content?: Record<string, Content> }>
}

export interface ApiDocument {
  paths: Record<string, Record<string, OperationObject>>
}

/** A REST operation, such as `GET` and `/teams/{id}`. */
export interface Operation {
  method: string
  path: string
}

const jsonPointer = (segments: string[]) =>
  segments.map((segment) => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')

/** A copy whose objects allow no other fields. Clients must tolerate new fields, but tests reject undocumented ones. */
function closeObjects(value: unknown, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((inner) => closeObjects(inner, isPart))
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, closeObjects(inner, key === 'allOf')]),
  )
  // A part of an `allOf` names only some of the fields.
  if (copy['type'] === 'object' && copy['properties'] && !isPart) copy['additionalProperties'] ??= false
  return copy
}

/** Validates responses against an OpenAPI document. */
export class DocumentChecker {
  readonly #ajv = new Ajv2020({ strict: false })
  readonly #document: ApiDocument
  readonly #compiled = new Map<string, ValidateFunction>()

  constructor(document: ApiDocument) {
    formats.default(this.#ajv)
    this.#ajv.addSchema(closeObjects(document) as object, 'document')
    this.#document = document
  }

  /** Why a value does not match the schema at this place of the document; null if it does. */
  findSchemaProblem(value: unknown, ...segments: string[]): string | null {
    const pointer = jsonPointer(segments)
    const validate = this.#compiled.get(pointer) ?? this.#ajv.compile({ $ref: `document#/${pointer}` })
    this.#compiled.set(pointer, validate)
    return validate(value) ? null : `${this.#ajv.errorsText(validate.errors)} at ${segments.join('/')}`
  }

  /** Why a REST response does not match the document, also for an undocumented status; null if it does. */
  findResponseProblem({ method, path }: Operation, status: number, body: unknown): string | null {
    const responses = this.#responsesOf({ method, path })
    const documentedStatus = responses[status] ? String(status) : 'default'
    const response = responses[documentedStatus]
    if (!response) return `the status ${status} is not documented`
    if (!response.content?.['application/json']) return null
    return this.findSchemaProblem(body, ...schemaOf({ method, path }, documentedStatus))
  }

  /** The same for a tRPC response, whose data or failure must match those of the REST response. */
  findTrpcResponseProblem({ method, path }: Operation, status: number, body: unknown): string | null {
    const { result, error } = (body ?? {}) as Partial<Record<'result' | 'error', { data?: { failure?: unknown } }>>
    const responses = this.#responsesOf({ method, path })
    if (status < 300) {
      const documentedStatus = Object.keys(responses).find((key) => key.startsWith('2')) ?? ''
      return this.findSchemaProblem(result?.data, ...schemaOf({ method, path }, documentedStatus), 'properties', 'data')
    }
    if (!responses[status]) return `the status ${status} is not documented`
    return this.findSchemaProblem(error?.data?.failure ?? body, 'components', 'schemas', 'Failure')
  }

  #responsesOf({ method, path }: Operation): OperationObject['responses'] {
    return this.#document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
  }
}

function schemaOf({ method, path }: Operation, status: string): string[] {
  const operation = ['paths', path, method.toLowerCase()]
  return operation.concat('responses', status, 'content', 'application/json', 'schema')
}
