import { contract, routesOf } from '@community/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestServer, type TestServer, type TestUser } from './test-server.ts'

let server: TestServer
let admin: TestUser
beforeAll(async () => {
  server = await openTestServer()
  admin = await server.createAdmin()
})
afterAll(() => server.close())

const queries = routesOf(contract).filter(([, { method, input }]) => method === 'GET' && input?.safeParse({}).success)
/** As text, without times of the request itself. */
const withoutTimes = (data: unknown) => JSON.stringify(data).replace(/"lastSeenAt":"[^"]+"/g, '')

// Tabs that are open over an upgrade send none to a query that took none in their release, as `webhooks.list` of 0.3.0.
it.each(queries.map(([name]) => name))('%s without input equals that with an empty one', async (name) => {
  const [missing, empty] = [await server.trpc(admin, name), await server.trpc(admin, name, {})]
  expect([missing.status, withoutTimes(missing.data)]).toEqual([200, withoutTimes(empty.data)])
})

it('is tested for queries that got an input since', () =>
  expect(queries.map(([name]) => name)).toContain('webhooks.list'))

it('a mutation without a body equals that with an empty one', async () => {
  const response = await server.app.inject({
    method: 'POST',
    url: '/trpc/notifications.setPreferences',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
  })
  expect([response.statusCode, response.json().result.data]).toEqual([
    200,
    (await server.trpc(admin, 'notifications.setPreferences', {})).data,
  ])
})
