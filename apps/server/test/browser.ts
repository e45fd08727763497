import type { RestResponse, TestServer } from './test-server.ts'

/** A browser's cookies and redirects. Requests to the app are injected. */
export interface Browser {
  /** Requests the app's `/auth/google`; resolves with the provider's URL. */
  beginSignIn(path?: string): Promise<URL>
  /** Submits the provider's form; resolves with the callback URL. */
  signInAt(provider: URL, person: { email: string; name?: string; isVerified?: boolean }): Promise<URL>
  /** Requests a URL of the app; resolves with the target of its redirect. */
  follow(url: URL): Promise<string>
  verify(email: string, otp: string): Promise<{ status: number; body: RestResponse['body']; cookies: string[] }>
  cookies: Map<string, string>
}

function storeCookies(jar: Map<string, string>, setCookies: readonly string[]): void {
  for (const line of setCookies) {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(pair.slice(0, at))
    else jar.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

const cookieHeader = (jar: Map<string, string>) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
const headerValues = (header: string | string[] | number | undefined) => [header ?? []].flat().map(String)

export function openBrowser({ app }: TestServer): Browser {
  const cookies = new Map<string, string>()
  const providerCookies = new Map<string, string>()

  const request = async (url: string) => {
    const response = await app.inject({ method: 'GET', url, headers: { cookie: cookieHeader(cookies) } })
    storeCookies(cookies, headerValues(response.headers['set-cookie']))
    if (response.statusCode !== 302) throw new Error(`${response.statusCode}: ${response.body}`)
    return response.headers.location ?? ''
  }
  /** Follows redirects until a page or another origin. */
  const followRedirects = async (from: URL, init: RequestInit = {}): Promise<{ url: URL; page?: Response }> => {
    const response = await fetch(from, {
      ...init,
      redirect: 'manual',
      headers: { cookie: cookieHeader(providerCookies) },
    })
    storeCookies(providerCookies, response.headers.getSetCookie())
    const location = response.headers.get('location')
    if (location === null) return { url: from, page: response }
    const next = new URL(location, from)
    return next.origin === from.origin ? followRedirects(next) : { url: next }
  }

  return {
    cookies,
    beginSignIn: async (path = '/auth/google') => new URL(await request(path)),
    async signInAt(provider, { email, name = '', isVerified = true }) {
      const { url } = await followRedirects(provider)
      const form = new URLSearchParams({ email, name, ...(isVerified && { verified: 'on' }) })
      const { url: back, page } = await followRedirects(url, { method: 'POST', body: form })
      if (page) throw new Error(`The provider did not redirect: ${page.status} ${await page.text()}`)
      return back
    },
    follow: ({ pathname, search }) => request(`${pathname}${search}`),
    async verify(email, otp) {
      const response = await app.inject({
        method: 'POST',
        url: '/api/auth/verify-google-otp',
        headers: { cookie: cookieHeader(cookies) },
        payload: { email, otp },
      })
      const set = headerValues(response.headers['set-cookie'])
      storeCookies(cookies, set)
      return { status: response.statusCode, body: response.json(), cookies: set }
    },
  }
}
