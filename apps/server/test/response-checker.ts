import addFormats from 'ajv-formats'
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
}

const pointer = (...words: string[]) =>
  words.map((word) => encodeURIComponent(word.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')

/** Checks answers against the document: an undocumented status or a field too many is an error. Unknown paths pass. */
export function answerChecker(document: object): (method: string, url: string, status: number, body: unknown) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addSchema(document, 'document')
  const { paths } = document as Document
  // Literal segments win over words, as they do in the server.
  const known = Object.keys(paths).toSorted((a, b) => a.split('{').length - b.split('{').length)
  const compiled = new Map<string, ValidateFunction>()

  return (method, url, status, body) => {
    const [address = ''] = url.split('?')
    const path = known.find((one) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(address))
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
