import { contract, routesOf } from '@community/contract'
import { type ApiDocument, Checker, type Operation, operationsOf, readDocument } from '../harness/api-document.ts'
import type { Client } from '../harness/client.ts'
import type { Guarantee } from '../guarantee.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']
const ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'

/** A path with something in place of its words. */
const filled = (path: string): string =>
  path
    .replace('{c}', 'Design')
    .replace('{d}', 'Beginner')
    .replaceAll(/\{\w+\}/g, ID)

/** Is there a call at all? Where there is none the answer is one of its own. Asked by nobody and without a body, so that none takes effect. */
async function isServed(client: Client, method: string, path: string): Promise<boolean> {
  const { status, body } = await client.call(`${method} ${path}`)
  return !(status === 404 && (body === null || body.code === 'NOT_FOUND'))
}

/** Every path of the document, and each of their beginnings. */
const pathsAround = (operations: Operation[]): string[] => [
  ...new Set(
    operations.flatMap(({ path }) => {
      const words = path.split('/').slice(1)
      return words.map((_, index) => `/${words.slice(0, index + 1).join('/')}`)
    }),
  ),
]

/** Which documented operation would a request to this address reach? Literal words win. */
function reached(operations: Operation[], method: string, address: string): boolean {
  return operations.some(
    (one) => one.method === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address),
  )
}

/** Every example of an operation with the schema it must fit. */
function* examplesOf({
  method,
  path,
  responses,
  requestBody,
  parameters = [],
}: Operation): Generator<{ value: unknown; at: string[] }> {
  const here = ['paths', path, method.toLowerCase()]
  const contents = [
    ...Object.entries(responses).map(([status, { content }]) => ({
      content,
      at: [...here, 'responses', status, 'content'],
    })),
    { content: requestBody?.content, at: [...here, 'requestBody', 'content'] },
  ]
  for (const { content = {}, at } of contents)
    for (const [type, { example, examples = {} }] of Object.entries(content)) {
      const values = [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)]
      for (const value of values) yield { value, at: [...at, type, 'schema'] }
    }
  for (const [index, { example }] of parameters.entries())
    if (example !== undefined) yield { value: example, at: [...here, 'parameters', String(index), 'schema'] }
}

/** Every schema, however deep, that carries an example. */
function* schemasWithExamples(value: unknown, at: string[] = []): Generator<{ value: unknown; at: string[] }> {
  if (typeof value !== 'object' || value === null) return
  const isSchema = ['type', 'anyOf', '$ref', 'pattern'].some((key) => key in value)
  if (isSchema && 'example' in value) yield { value: value.example, at }
  for (const [key, inner] of Object.entries(value))
    if (key !== 'example') yield* schemasWithExamples(inner, [...at, key])
}

function* untrueExamples(document: ApiDocument, operations: Operation[], counted: { examples: number }) {
  const checker = new Checker(document)
  const all = [...operations.flatMap((one) => [...examplesOf(one)]), ...schemasWithExamples(document)]
  counted.examples = all.length
  for (const { value, at } of all) {
    const wrong = checker.at(value, ...at)
    if (wrong !== null) yield `the example ${JSON.stringify(value)} at ${at.join(' ')}: ${wrong}`
  }
}

/** Every answer with a code of its own must be told under its own status, and nothing else under it. */
const untrueFailures = (operations: Operation[]): string[] =>
  operations.flatMap(({ method, path, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const examples = Object.values(content?.['application/json']?.examples ?? {})
      return Number(status) >= 400 &&
        content?.['application/json'] &&
        examples.length === 0 &&
        !path.startsWith('/health')
        ? [`${method} ${path} tells no code for ${status}`]
        : []
    }),
  )

export const guarantee: Guarantee = {
  id: 'R14',
  statement:
    'What the server serves is in the OpenAPI document, what is in the document is served, and its examples are true',
  async run(context) {
    const { violations } = context
    const fixture = await context.open()
    const { client } = fixture
    const document = await readDocument(client)
    const operations = operationsOf(document)
    for (const [, { method, path }] of routesOf(contract))
      if (!operations.some((one) => one.method === method && one.path === path))
        violations.push(`${method} ${path} is not in the document`)

    for (const { method, path, procedure } of operations) {
      const isBesideTheApi = path === '/auth/google' || path.startsWith('/files/')
      if (!isBesideTheApi && !(await isServed(client, method, filled(path))))
        violations.push(`${method} ${path} is in the document and not served`)
      if (procedure === null) continue
      const { status } = await client.call(`${method === 'GET' ? 'GET' : 'POST'} /trpc/${procedure}`)
      if (status === 404 || status === 405) violations.push(`${procedure} is not served at the other door`)
    }

    let probes = 0
    for (const path of pathsAround(operations))
      for (const method of METHODS) {
        const address = filled(path)
        if (reached(operations, method, address)) continue
        probes++
        if (await isServed(client, method, address))
          violations.push(`${method} ${path} is served and not in the document`)
      }

    const counted = { examples: 0 }
    violations.push(...untrueExamples(document, operations, counted), ...untrueFailures(operations))
    const figures = { operations: operations.length, 'addresses without a call': probes, examples: counted.examples }
    return figures
  },
}
