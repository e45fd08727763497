import { createServer, type Server } from 'node:http'
import { listenLocally } from '@community/testing'
import { expect, type Page } from '@playwright/test'
import { ADMIN, startStandaloneServer } from '@community/testing/server'
import { test } from '../test.ts'
import { createTeam, registerMember, url } from './steps.ts'

let pages: Server
/** Another port and, because `localhost` and `127.0.0.1` differ, another site than the server's. */
let origin: string
test.beforeAll(async () => {
  pages = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Other</title>'),
  )
  origin = `http://127.0.0.1:${await listenLocally(pages)}`
})
test.afterAll(() => void pages.close())

/** What `fetch` in the page resolves to; the name of its error if the browser refuses. */
const fetchIn = (page: Page, address: string, init: RequestInit = {}) =>
  page.evaluate(
    async ([target, options]) => {
      try {
        const response = await fetch(target, options)
        const { code, data } = (await response.json()) as { code?: string; data?: object }
        const headers = Object.fromEntries(response.headers)
        return { status: response.status, code, data, headers }
      } catch (error) {
        return (error as Error).name
      }
    },
    [address, init] as const,
  )
const asJson = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const credentials = ({ email, password }: { email: string; password: string }) => ({ email, password })

test('a page of another origin reads what visitors may, and nothing else', async ({ page }) => {
  const person = await registerMember()
  await page.goto(origin)
  const teams = await fetchIn(page, `${url}/api/teams`, { headers: { 'if-none-match': '"none"' } })
  expect(teams).toMatchObject({ status: 200, headers: { ratelimit: expect.any(String) } })
  expect(teams).toMatchObject({
    headers: { 'ratelimit-policy': expect.any(String), 'x-request-id': expect.any(String) },
  })
  // A page of one, so that there is a next one.
  await createTeam(person)
  await createTeam(person)
  expect(await fetchIn(page, `${url}/api/teams?limit=1`)).toMatchObject({
    headers: { etag: expect.stringMatching(/^W\/"/), link: expect.stringContaining('rel="next"') },
  })
  expect(await fetchIn(page, `${url}/api/teams?limit=101`)).toMatchObject({ status: 400, code: 'VALIDATION' })
  expect(await fetchIn(page, `${url}/api/openapi.json`)).toMatchObject({ status: 200 })
  // The browser refuses: private, by token, with cookies, a write.
  expect(await fetchIn(page, `${url}/api/users/profile`)).toBe('TypeError')
  expect(await fetchIn(page, `${url}/api/teams`, { headers: { authorization: 'Bearer x' } })).toBe('TypeError')
  expect(await fetchIn(page, `${url}/api/teams`, { credentials: 'include' })).toBe('TypeError')
  expect(await fetchIn(page, `${url}/api/auth/login`, asJson(credentials(person)))).toBe('TypeError')
})

test('a page of another origin reads when it may repeat a rejected request', async ({ page }) => {
  const server = await startStandaloneServer({ READ_UNITS_PER_IP: '1' })
  try {
    await page.goto(origin)
    const readUntilRejected = async () => {
      for (let read = 0; read < 20; read++) {
        const response = await fetchIn(page, `${server.url}/api/teams`)
        if (typeof response === 'object' && response.status === 429) return response
      }
      return null
    }
    const numbers = expect.stringMatching(/^\d+$/)
    expect(await readUntilRejected()).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      headers: {
        'retry-after': numbers,
        ratelimit: expect.stringContaining('r=0'),
        'ratelimit-policy': expect.stringContaining('q=1;'),
        'x-request-id': expect.any(String),
      },
    })
  } finally {
    await server.stop()
  }
})

test('a page of an origin in CORS_ORIGINS signs in and writes by token', async ({ page }) => {
  const server = await startStandaloneServer({ CORS_ORIGINS: origin })
  try {
    await page.goto(origin)
    const signedIn = await fetchIn(page, `${server.url}/api/auth/login`, asJson(credentials(ADMIN)))
    expect(signedIn).toMatchObject({ status: 200 })
    const { token } = (signedIn as { data: { token: string } }).data
    const authorization = `Bearer ${token}`
    const profile = await fetchIn(page, `${server.url}/api/users/profile`, { headers: { authorization } })
    expect(profile).toMatchObject({ status: 200, data: { user: { email: ADMIN.email } } })
    const change = await fetchIn(page, `${server.url}/api/users/profile`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Other Origin' }),
    })
    expect(change).toMatchObject({ status: 200, data: { user: { name: 'Other Origin' } } })
    // Never with cookies, and from no other origin.
    const withCookies = { headers: { authorization }, credentials: 'include' } as const
    expect(await fetchIn(page, `${server.url}/api/users/profile`, withCookies)).toBe('TypeError')
    await page.goto(origin.replace('127.0.0.1', 'localhost'))
    expect(await fetchIn(page, `${server.url}/api/users/profile`, { headers: { authorization } })).toBe('TypeError')
  } finally {
    await server.stop()
  }
})
