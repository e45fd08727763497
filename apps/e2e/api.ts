/** Sends one REST request (`POST /teams`) and returns its data. Throws the server's message if it fails. */
export async function sendRequest<T>(
  server: { url: string },
  endpoint: string,
  token?: string | null,
  body?: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const [method = 'GET', path = ''] = endpoint.split(' ')
  const response = await fetch(`${server.url}/api${path}`, {
    method,
    headers: {
      ...headers,
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { success, message, data } = (await response.json()) as { success: boolean; message: string; data: T }
  if (!success) throw new Error(`${endpoint}: ${message}`)
  return data
}

export interface Session {
  user: object
  token: string
  refreshToken: string
}

export const signInAt = (server: { url: string }, { email, password }: { email: string; password: string }) =>
  sendRequest<Session>(server, 'POST /auth/login', null, { email, password })

/** Runs in a page: stores a session as the web client does. */
export function storeSession({ user, token, refreshToken }: Session): void {
  localStorage.setItem('authToken', token)
  localStorage.setItem('refreshToken', refreshToken)
  localStorage.setItem('authTokenFreshUntil', String(Date.now() + 600_000))
  localStorage.setItem('currentUser', JSON.stringify(user))
}
