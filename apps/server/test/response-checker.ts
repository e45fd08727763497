import { type ApiDocument, DocumentChecker } from '@community/testing/api-document'
import { readConfig } from '../src/config.ts'
import { openApiDocument } from '../src/rest/docs-ui.ts'

/** For tests of the document that need no server. */
const { readUnits, concurrentRequests } = readConfig({ NODE_ENV: 'test' })
export const DOCUMENT_SETTINGS = {
  appName: 'Community',
  appUrl: 'https://community.test',
  readUnits,
  concurrentRequests,
}

type CheckResponse = (method: string, url: string, status: number, body: unknown) => void

function createResponseChecker(document: ApiDocument): CheckResponse {
  const checker = new DocumentChecker(document)
  // Static routes take precedence over parameters, as in the server.
  const known = Object.keys(document.paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }))
  return (method, url, status, body) => {
    const [pathname = ''] = url.split('?')
    const path = known.find(({ pattern }) => pattern.test(pathname))?.path
    if (path === undefined || !document.paths[path]?.[method.toLowerCase()]) return
    const problem = checker.findResponseProblem({ method, path }, status, body)
    if (problem !== null) throw new Error(`${method} ${path} answered ${status} ${JSON.stringify(body)}: ${problem}`)
  }
}

let check: CheckResponse | undefined

/**
 * Throws if a response does not match the OpenAPI document: an undocumented status or an extra field. Ignores unknown
 * paths.
 */
export const checkResponse: CheckResponse = (...response) => {
  // Created once per process, because describing the contract and compiling schemas takes half the time of opening a server.
  check ??= createResponseChecker(openApiDocument(DOCUMENT_SETTINGS) as ApiDocument)
  check(...response)
}
