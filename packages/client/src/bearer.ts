import { codeOf } from './failure.ts'

export interface TokenOptions {
  /** A personal access token (`cmt_…`), the `token` of a sign-in, or a function that returns one before each request. */
  token?: string | (() => string | undefined | Promise<string | undefined>)
  /** Returns a new token when the server does not accept the current one; the request is sent again. Concurrent requests share a call. */
  refresh?: () => Promise<string>
}

/** The server forgets a token a day after it expired, and then cannot tell it from an unknown one. Other failures with 401 are not about it. */
const MAY_HAVE_EXPIRED = ['TOKEN_EXPIRED', 'NOT_SIGNED_IN']

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
    if (response.status !== 401 || !MAY_HAVE_EXPIRED.includes((await codeOf(response)) ?? '')) return response
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
