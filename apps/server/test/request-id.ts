/** Replaces the id in a response's own `X-Request-Id` by a constant, so that responses can be compared byte by byte. Another request's id stays. */
export function maskRequestId(text: string, headers: Readonly<Record<string, unknown>>): string {
  const id = headers['x-request-id']
  if (typeof id !== 'string' || id === '') throw new Error('The response has no X-Request-Id')
  return text.replaceAll(id, 'REQUEST ID')
}
