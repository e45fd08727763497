import { codeOf } from './failure.ts'

export interface TokenOptions {
  /** A personal access token (`cmt_…`), the `token` of a sign-in, or a function that returns one before each request. */
  token?: string | (() => string | undefined | Promise<string | undefined>)
  /** Returns a new token when the server says that it expired; the request is sent again. Concurrent requests share a call. */
  refresh?: () => Promise<string>
}

type Send = (request: Request) => Promise<Response>

/** Sends requests with the current token, and again with a new one when it has expired. */
export function createBearer({ token, refresh }: TokenOptions) {
  const givenToken = async () => (typeof token === 'function' ? token() : token)
  /** The last refreshed token, and the given one that it replaces: a different given token belongs to another sign-in. */
  let refreshed: { given: string | undefined; token: string } | undefined
  /** The running refreshes, by the given token. */
  const refreshing = new Map<string | undefined, Promise<void>>()
  const currentToken = (given: string | undefined) => (refreshed?.given === given ? refreshed?.token : given)

  return async (request: Request, send: Send): Promise<Response> => {
    const sent = request.headers.has('authorization') ? undefined : currentToken(await givenToken())
    if (sent === undefined) return send(request)
    request.headers.set('authorization', `Bearer ${sent}`)
    if (!refresh) return send(request)
    const response = await send(request.clone())
    if (response.status !== 401 || (await codeOf(response)) !== 'TOKEN_EXPIRED') return response
    const given = await givenToken()
    const renew = async () => {
      refreshed = { given, token: await refresh() }
    }
    // Another request may have refreshed it since. No `await` comes between this check and the start of a refresh.
    if (currentToken(given) === sent) {
      const running = refreshing.get(given) ?? renew().finally(() => refreshing.delete(given))
      refreshing.set(given, running)
      await running
    }
    const current = currentToken(await givenToken())
    if (current === undefined) return response
    request.headers.set('authorization', `Bearer ${current}`)
    return send(request)
  }
}
