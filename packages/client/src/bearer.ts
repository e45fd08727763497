export interface TokenOptions {
  /** A personal access token (`cmt_…`), the `token` of a sign-in, or a function that returns one before each request. */
  token?: string | (() => string | undefined | Promise<string | undefined>)
  /** Returns a new token when the server says that it expired; the request is sent again. Concurrent requests share a call. */
  refresh?: () => Promise<string>
}

type Send = (request: Request) => Promise<Response>

async function isExpired(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const failure = (await response
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown } | null
  return failure?.code === 'TOKEN_EXPIRED'
}

/** Sends requests with the current token, and again with a new one when it has expired. */
export function createBearer({ token, refresh }: TokenOptions) {
  let refreshed: string | undefined
  let refreshing: Promise<string> | undefined
  const currentToken = async () => refreshed ?? (typeof token === 'function' ? token() : token)

  return async (request: Request, send: Send): Promise<Response> => {
    const sent = request.headers.has('authorization') ? undefined : await currentToken()
    if (sent === undefined) return send(request)
    request.headers.set('authorization', `Bearer ${sent}`)
    if (!refresh) return send(request)
    const response = await send(request.clone())
    if (!(await isExpired(response))) return response
    // Another request may have refreshed it meanwhile.
    if ((await currentToken()) === sent) {
      refreshing ??= refresh().finally(() => (refreshing = undefined))
      refreshed = await refreshing
    }
    request.headers.set('authorization', `Bearer ${await currentToken()}`)
    return send(request)
  }
}
