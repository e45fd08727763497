import { type ApiDocument, DocumentChecker } from '@community/testing/api-document'

/** Checks answers against the document: an undocumented status or a field too many is an error. Unknown paths pass. */
export function answerChecker(document: object): (method: string, url: string, status: number, body: unknown) => void {
  const { paths } = document as ApiDocument
  const checker = new DocumentChecker({ ...document, paths })
  // Literal segments win over words, as they do in the server.
  const known = Object.keys(paths).toSorted((a, b) => a.split('{').length - b.split('{').length)
  return (method, url, status, body) => {
    const [address = ''] = url.split('?')
    const path = known.find((one) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(address))
    if (path === undefined || !paths[path]?.[method.toLowerCase()]) return
    const problem = checker.findResponseProblem({ method, path }, status, body)
    if (problem !== null) throw new Error(`${method} ${path} answered ${status} ${JSON.stringify(body)}: ${problem}`)
  }
}
