import { NETWORK_TEXT, parseAppError, TIMEOUT_TEXT, TransportError, unreadableResponse } from './failure.ts'
import { sendWithToken } from './session.ts'

/** Milliseconds until a response begins. An export sends its first rows within a minute; the rest takes as long as it takes. */
const BEGIN_TIMEOUT_MS = 90_000

async function send(path: string, body: object | undefined, token: string | null): Promise<Response> {
  // The page translates the server's English.
  const headers = {
    'accept-language': 'en',
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), BEGIN_TIMEOUT_MS)
  try {
    const post = body && { method: 'POST', body: JSON.stringify(body) }
    return await fetch(path, { headers, signal: timeout.signal, ...post })
  } catch {
    throw timeout.signal.aborted
      ? new TransportError('timeout', TIMEOUT_TEXT)
      : new TransportError('network', NETWORK_TEXT)
  } finally {
    clearTimeout(timer)
  }
}

/** The name in UTF-8 that the server gives, otherwise the one in ASCII. */
function fileNameOf({ headers }: Response): string {
  const disposition = headers.get('content-disposition') ?? ''
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? []
  return encoded === undefined ? (/filename="([^"]+)"/.exec(disposition)?.[1] ?? '') : decodeURIComponent(encoded)
}

/**
 * Downloads a file with the user's token and saves it once it is complete. Uses POST if `body` is given. Throws a TransportError (timeout,
 * network) or an AppError (from the server).
 */
export async function downloadFile(path: string, body?: object): Promise<void> {
  const response = await sendWithToken((token) => send(path, body, token))
  if (!response.ok) throw parseAppError(await response.json().catch(() => null)) ?? unreadableResponse(response.status)
  const file = await response.blob().catch(() => {
    throw new TransportError('network', NETWORK_TEXT)
  })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = fileNameOf(response)
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
