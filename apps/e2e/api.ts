import { Client, dataOf } from '@community/testing/api-client'

interface Site {
  url: string
}

const clients = new Map<string, Client>()
export function clientOf({ url }: Site): Client {
  const client = clients.get(url) ?? new Client(url)
  clients.set(url, client)
  return client
}

/** Sends one REST request (`POST /teams`) and returns its data. Throws `UnexpectedResponse` if it fails. */
export const sendRequest = <T>(
  server: Site,
  line: string,
  token?: string | null,
  body?: object,
  headers: Record<string, string> = {},
): Promise<T> => dataOf<T>(clientOf(server).call(line, { token: token ?? undefined, body, headers }))

export interface Session {
  user: object
  token: string
  refreshToken: string
}

export const signInAt = (server: Site, { email, password }: { email: string; password: string }) =>
  sendRequest<Session>(server, 'POST /auth/login', null, { email, password })

/** Runs in a page: stores a session as the web client does. */
export function storeSession({ user, token, refreshToken }: Session): void {
  localStorage.setItem('authToken', token)
  localStorage.setItem('refreshToken', refreshToken)
  localStorage.setItem('authTokenFreshUntil', String(Date.now() + 600_000))
  localStorage.setItem('currentUser', JSON.stringify(user))
}
