import { uniqueEmail } from '@community/testing'
import { atNewAddress } from '@community/testing/api-client'
import type { OpenIdProvider } from '@community/testing/openid-provider'
import type { Fixture } from './fixture.ts'

export type ExternalSignIn = Awaited<ReturnType<typeof signInExternally>>

/**
 * Signs in through the provider: starts at the first server and returns to the last; `meanwhile` runs while the browser is at the
 * provider. Resolves with the final path and fragment, and the milliseconds of the slowest step.
 */
export async function signInExternally(
  { servers }: Fixture,
  provider: OpenIdProvider,
  meanwhile: () => void = () => {},
) {
  const [begin, back] = [servers[0], servers.at(-1)].map((server) => `http://127.0.0.1:${server?.port}`)
  const headers = atNewAddress()
  const found = { end: '', slowest: 0, email: uniqueEmail(), cookie: '' }
  const visit = async (url: string): Promise<URL> => {
    const startedAt = performance.now()
    const signal = AbortSignal.timeout(30_000)
    const response = await fetch(url, { redirect: 'manual', headers: { ...headers, cookie: found.cookie }, signal })
    await response.body?.cancel()
    found.slowest = Math.max(found.slowest, performance.now() - startedAt)
    // The cookie of a sign-in is valid for one callback.
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0])
    found.cookie = cookies.join('; ')
    const location = new URL(response.headers.get('location') ?? '/none', begin)
    found.end = location.pathname + location.hash
    return location
  }
  const { searchParams } = await visit(`${begin}/auth/google`)
  const state = searchParams.get('state')
  if (state === null) return found
  provider.nextIdToken = { nonce: searchParams.get('nonce') ?? '', email: found.email }
  meanwhile()
  await visit(`${back}/auth/google/callback?${new URLSearchParams({ code: 'any', state }).toString()}`)
  return found
}
