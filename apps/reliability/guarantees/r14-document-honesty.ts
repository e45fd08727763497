import { contract, routesOf } from '@community/contract'
import type { Client } from '@community/testing/api-client'
import {
  type ApiDocument,
  DocumentChecker,
  type OperationObject,
  type Operation,
} from '@community/testing/api-document'
import type { Guarantee } from '../guarantee.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']
const ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'

type Described = Operation & OperationObject
/** An example, and the path of its schema in the document. */
type Example = [value: unknown, at: string[]]

const operationsOf = ({ paths }: ApiDocument): Described[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path }))
      .filter(({ method }) => METHODS.includes(method)),
  )

/** A path with values for its parameters. */
const PARAMETERS: Record<string, string> = { '{c}': 'Design', '{d}': 'Beginner' }
const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, (name) => PARAMETERS[name] ?? ID)

/** Whether the server has an operation. Sent without a token and a body, so that none takes effect. */
async function isServed(client: Client, method: string, path: string, token?: string): Promise<boolean> {
  const { status, body } = await client.call(`${method} ${path}`, { token })
  if (status === 0) throw new Error(`${method} ${path} is not answered`)
  return status !== 405 && !(status === 404 && (body === null || body.code === 'NOT_FOUND'))
}

/** Every path of the document, and each prefix of one. */
function pathsAround(operations: Described[]): Set<string> {
  const beginningsOf = (words: string[]) => words.map((_, index) => `/${words.slice(0, index + 1).join('/')}`)
  return new Set(operations.flatMap(({ path }) => beginningsOf(path.split('/').slice(1))))
}

const isDocumented = (operations: Described[], method: string, address: string): boolean =>
  operations.some(
    (operation) =>
      operation.method === method && new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address),
  )

/** The examples of every schema, parameter and content, at any depth. */
function examplesIn(value: unknown, at: string[] = []): Example[] {
  if (typeof value !== 'object' || value === null) return []
  const { schema, example, examples = {} } = value as { schema?: object; example?: unknown; examples?: object }
  const isSchema = ['type', 'anyOf', '$ref', 'pattern'].some((key) => key in value)
  const own = [example, ...Object.values(examples).map((entry) => entry?.value)].filter((entry) => entry !== undefined)
  const where = schema ? [...at, 'schema'] : at
  const inner = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'examples')
  return [
    ...(schema || isSchema ? own.map((entry): Example => [entry, where]) : []),
    ...inner.flatMap(([key, child]) => examplesIn(child, [...at, key])),
  ]
}

export const guarantee: Guarantee = {
  id: 'R14',
  statement: 'The server and the OpenAPI document have the same operations, and the examples of the document are valid',
  async run({ expect, openFixture }) {
    const { client } = await openFixture()
    const { body: document } = await client.call('GET /openapi.json')
    const operations = operationsOf(document)
    const procedures = new Map(routesOf(contract).map(([name, { method, path }]) => [`${method} ${path}`, name]))
    const documented = new Set(operations.map(({ method, path }) => `${method} ${path}`))
    for (const line of procedures.keys()) expect(documented.has(line), `${line} is not in the document`)

    for (const { method, path, responses } of operations) {
      const isBesideTheApi = path === '/auth/google' || path.startsWith('/files/')
      // The response to an invalid token ends; a stream does not.
      const token = responses['200']?.content?.['text/event-stream'] && 'invalid'
      const isThere = isBesideTheApi || (await isServed(client, method, filled(path), token))
      expect(isThere, `${method} ${path} is in the document and not served`)
      for (const [status, { content }] of Object.entries(responses)) {
        const json = content?.['application/json']
        const isSilent = json !== undefined && Object.keys(json.examples ?? {}).length === 0
        const isRefusal = Number(status) >= 400 && !path.startsWith('/health')
        expect(!(isRefusal && isSilent), `${method} ${path} has no example of ${status}`)
      }
      const procedure = procedures.get(`${method} ${path}`)
      if (procedure === undefined) continue
      const { status } = await client.call(`${method === 'GET' ? 'GET' : 'POST'} /trpc/${procedure}`)
      expect(![0, 404, 405].includes(status), `${procedure} is not served by tRPC`)
    }

    for (const path of pathsAround(operations))
      for (const method of METHODS) {
        const address = filled(path)
        if (isDocumented(operations, method, address)) continue
        expect(!(await isServed(client, method, address)), `${method} ${path} is served and not in the document`)
      }

    const checker = new DocumentChecker(document)
    const examples = examplesIn(document)
    for (const [value, at] of examples) {
      const problem = checker.findSchemaProblem(value, ...at)
      expect(problem === null, `the example ${JSON.stringify(value)} at ${at.join(' ')}: ${problem}`)
    }
    return { operations: operations.length, examples: examples.length }
  },
}
