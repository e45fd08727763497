/** A form with one file, for `fetch`. */
export function fileForm(field: string, bytes: Uint8Array, name: string, type = ''): FormData {
  const form = new FormData()
  form.set(field, new File([Uint8Array.from(bytes)], name, { type }))
  return form
}

/** The headers and the multipart body of a form with one file, for Fastify's `inject`. */
export function multipart(field: string, bytes: Uint8Array, name: string, type?: string) {
  const head = `Content-Disposition: form-data; name="${field}"; filename="${name}"\r\n`
  const typeLine = type === undefined ? '' : `Content-Type: ${type}\r\n`
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    payload: Buffer.concat([Buffer.from(`--b\r\n${head}${typeLine}\r\n`), bytes, Buffer.from('\r\n--b--\r\n')]),
  }
}
