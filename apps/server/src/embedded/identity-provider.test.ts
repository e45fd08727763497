import { afterEach, expect, it, vi } from 'vitest'
import { startIdentityProvider } from './identity-provider.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

it('prints nothing and does not silence other warnings', async () => {
  const said: unknown[] = []
  for (const method of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...line) => void said.push(line.join(' ')))
  const provider = await startIdentityProvider({ appUrl: 'http://localhost:3000' })
  const asking = fetch(`${provider.oauth.issuer}/.well-known/openid-configuration`)
  const interval = setInterval(() => console.warn('something else'), 1)
  const discovery = await (await asking).json()
  clearInterval(interval)
  expect(discovery).toMatchObject({
    issuer: provider.oauth.issuer,
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
  })
  const get = (path: string) => fetch(`${provider.oauth.issuer}${path}`, { redirect: 'manual' })
  expect((await get('/auth?client_id=nobody')).status).toBe(400)
  expect((await get('/nowhere')).status).toBe(404)
  expect(new Set(said)).toEqual(new Set(['something else']))
  await provider.close()
})

it('loads once for concurrent requests and listens on loopback only', async () => {
  const provider = await startIdentityProvider({ appUrl: 'http://localhost:3000' })
  expect(new URL(provider.oauth.issuer).hostname).toBe('127.0.0.1')
  const keys = await Promise.all(
    Array.from({ length: 5 }, async () => (await fetch(`${provider.oauth.issuer}/jwks`)).text()),
  )
  expect(new Set(keys).size).toBe(1)
  expect(JSON.parse(keys[0] ?? '').keys).toHaveLength(1)
  expect(keys[0]).not.toContain('"d"')
  await provider.close()
})

it('redirects to the app only', async () => {
  const provider = await startIdentityProvider({ appUrl: 'http://localhost:3000' })
  const authorize = (change: Record<string, string>) => {
    const query = new URLSearchParams({
      client_id: 'community',
      response_type: 'code',
      scope: 'openid email',
      redirect_uri: 'http://localhost:3000/auth/google/callback',
      state: 's',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      ...change,
    })
    return fetch(`${provider.oauth.issuer}/auth?${query.toString()}`, { redirect: 'manual' })
  }
  expect((await authorize({})).headers.get('location')).toMatch(/^\/interaction\//)
  for (const redirect_uri of ['https://evil.example/', 'http://localhost:3000/auth/google/callback/../evil']) {
    const rejected = await authorize({ redirect_uri })
    expect([rejected.status, rejected.headers.get('location')]).toEqual([400, null])
    expect(await rejected.text()).toContain('<a href="http://localhost:3000">Back to the app</a>')
  }
  // Input is escaped.
  const forged = await authorize({ client_id: '<script>alert(1)</script>' })
  expect(await forged.text()).not.toContain('<script>')
  // PKCE is required.
  const without = await authorize({ code_challenge: '', code_challenge_method: '' })
  expect(without.headers.get('location')).toContain('error=invalid_request')
  await provider.close()
})
