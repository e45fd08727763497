import { type AppError, NETWORK_TEXT, parseAppError, TransportError, unreadableResponse } from './failure.ts'
import { freshToken, refreshSession } from './session.ts'

async function request(path: string, body?: object, isRetry = false): Promise<Response> {
  const token = await freshToken()
  // The page translates the server's English.
  const headers = {
    'accept-language': 'en',
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const response = await fetch(path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  const isTokenExpired = response.status === 401 && token !== null && !isRetry
  return isTokenExpired && (await refreshSession(token)) ? request(path, body, true) : response
}

async function errorOf(response: Response): Promise<TransportError | AppError> {
  return parseAppError(await response.json().catch(() => null)) ?? unreadableResponse(response.status)
}

const fileNameOf = ({ headers }: Response): string =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? ''

/**
 * Loads a file that needs the user's token, by POST if there is a `body`, whole, then hands it to the browser to save: an interrupted download saves nothing. Throws a
 * TransportError (network) or an AppError (from the server).
 */
export async function downloadFile(path: string, body?: object): Promise<void> {
  const response = await request(path, body).catch(() => null)
  if (response && !response.ok) throw await errorOf(response)
  const file = await response?.blob().catch(() => null)
  if (!response || !file) throw new TransportError('network', NETWORK_TEXT)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = fileNameOf(response)
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
