import addFormats from 'ajv-formats'
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import { openApiDocument } from '../src/rest/docs-ui.ts'

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
}

const pointer = (...words: string[]) =>
  words.map((word) => encodeURIComponent(word.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')

type Check = (method: string, url: string, status: number, body: unknown) => void

function checkerOf(document: object): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addSchema(document, 'document')
  const { paths } = document as Document
  // Literal segments win over words, as they do in the server.
  const known = Object.keys(paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))
  const compiled = new Map<string, ValidateFunction>()

  return (method, url, status, body) => {
    const [address = ''] = url.split('?')
    const path = known.find(({ pattern }) => pattern.test(address))?.path
    const operation = path === undefined ? undefined : paths[path]?.[method.toLowerCase()]
    if (path === undefined || !operation) return
    if (!operation.responses[status])
      throw new Error(`${method} ${path} answered ${status}, which is not documented: ${JSON.stringify(body)}`)
    const at = pointer(
      'paths',
      path,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    )
    const validate = compiled.get(at) ?? ajv.compile({ $ref: `document#/${at}` })
    compiled.set(at, validate)
    if (!validate(body))
      throw new Error(`${method} ${path} answered ${status} unlike the document: ${ajv.errorsText(validate.errors)}`)
  }
}

let check: Check | undefined

/**
 * Throws if a response does not match the OpenAPI document: an undocumented status or an extra field. Ignores unknown
 * paths.
 */
export const checkResponse: Check = (...response) => {
  // Once per process: describing the contract and compiling schemas is half of what opening a server costs.
  check ??= checkerOf(openApiDocument())
  check(...response)
}
