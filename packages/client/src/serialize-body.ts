const hasFile = (value: unknown): boolean => [value].flat().some((part) => part instanceof Blob)

/** Serializes fields with files as a form, others as JSON. A Blob is the body itself. */
export function serializeBody(body: unknown): FormData | Blob | string {
  if (body instanceof Blob) return body
  const fields = Object.entries(body ?? {})
  if (!fields.some(([, value]) => hasFile(value))) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields)
    for (const part of [value].flat()) form.append(name, part instanceof Blob ? part : String(part))
  return form
}

/** Corrects the content type of a Blob: openapi-fetch sends every body except a form as JSON. */
export class TypedRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input, init)
    if (init?.body instanceof Blob) this.headers.set('content-type', 'application/octet-stream')
  }
}
