import { uniqueName } from './community.ts'
import type { OpenIdProvider } from '@community/testing/openid-provider'
import { atNewAddress } from './sign-in.ts'
import type { Fixture } from './fixture.ts'

/** A browser's way to a provider and back. */
export interface Journey {
  /** Where the browser ends, without the origin. */
  end: string
  /** Milliseconds of its slowest step. */
  slowest: number
  email: string
  /** What the browser keeps, to send it along. */
  cookie: string
}

/** Begins at the first server and comes back to the last; the provider is well at the begin, and `meanwhile` may change that. */
export async function signInThrough(
  { servers }: Pick<Fixture, 'servers'>,
  provider: OpenIdProvider,
  meanwhile: () => void = () => {},
): Promise<Journey> {
  const [begin, back] = [servers[0], servers.at(-1)].map((server) => `http://127.0.0.1:${server?.port}`)
  const headers = atNewAddress()
  const journey: Journey = {
    end: '',
    slowest: 0,
    email: `${uniqueName('sara').replace(' ', '.')}@example.ma`,
    cookie: '',
  }
  const visit = async (url: string): Promise<URL> => {
    const began = performance.now()
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { ...headers, cookie: journey.cookie },
      signal: AbortSignal.timeout(30_000),
    })
    await answer.body?.cancel()
    journey.slowest = Math.max(journey.slowest, performance.now() - began)
    // What was kept before is good for one return.
    journey.cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const location = new URL(answer.headers.get('location') ?? '/none', begin)
    journey.end = location.pathname + location.hash
    return location
  }
  const { searchParams } = await visit(`${begin}/auth/google`)
  const state = searchParams.get('state')
  if (state === null) return journey
  provider.next = { nonce: searchParams.get('nonce') ?? '', email: journey.email }
  meanwhile()
  await visit(`${back}/auth/google/callback?${new URLSearchParams({ code: 'any', state }).toString()}`)
  return journey
}
