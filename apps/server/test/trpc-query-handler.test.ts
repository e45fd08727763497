import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { maskRequestId } from './request-id.ts'
import { openTestServer } from './test-server.ts'

const server = await openTestServer()
await server.app.listen({ port: 0, host: '127.0.0.1' })
const port = (server.app.server.address() as AddressInfo).port
const member = await server.createMember()
const teamId = (await server.createTeam(member, { name: 'Zellige 🎉 فريق' })).id
afterAll(() => server.close())

interface TestResponse {
  status: number | undefined
  /** Headers without those that differ in every response. */
  headers: Record<string, unknown>
  length: string | undefined
  /** Without the request's id. */
  body: string
}

const get = (path: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<TestResponse>((resolve, reject) => {
    const sent = request({ port, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { 'content-length': length, ...headers } = response.headers
        const body = maskRequestId(Buffer.concat(chunks).toString('latin1'), headers)
        for (const name of ['date', 'x-request-id', 'transfer-encoding', 'ratelimit']) delete headers[name]
        resolve({ status: response.statusCode, headers, length, body })
      })
    })
    sent.on('error', reject)
    sent.end()
  })

const send = (input: unknown) => `input=${encodeURIComponent(JSON.stringify(input))}`
const ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'
const times = (count: number) => Array.from({ length: count }, () => 'roles.list').join(',')

type QueryCase = [what: string, query: () => string, headers?: () => Record<string, string>]
const asMember = () => ({ authorization: `Bearer ${member.token}` })

/** Sends a query to the query handler and to the adapter, which handles requests with the header `trpc-accept`. */
async function sendToBoth(path: string, headers: Record<string, string> = {}) {
  const handled = await get(path, headers)
  const adapter = await get(path, { ...headers, 'trpc-accept': 'application/json' })
  const { length, ...actual } = handled
  const { length: sent, ...expected } = adapter
  // The adapter does not compress.
  const { vary } = actual.headers
  if (typeof vary === 'string') actual.headers['vary'] = vary.replace(', accept-encoding', '')
  // The adapter streams, so it has no Content-Length.
  return { answer: actual, expected, isHandled: length !== undefined && sent === undefined }
}

it.each<QueryCase>([
  ['a valid query', () => `teams.leaderboard?${send({ limit: 5 })}`],
  ['a query without input', () => 'roles.list'],
  ['a response in several alphabets', () => `teams.get?${send({ id: teamId })}`, asMember],
  ['an input for a procedure without input', () => `roles.list?${send({ a: 1 })}`],
  ['an empty input', () => 'teams.leaderboard?input='],
  ['a null input', () => 'teams.leaderboard?input=null'],
  ['a string as input', () => 'teams.leaderboard?input=%22x%22'],
  ['an invalid input', () => `teams.leaderboard?${send({ limit: 0 })}`],
  ['an input with several invalid fields', () => `teams.list?${send({ limit: 'x', page: -1, sort: 7 })}`],
  ['an unknown id', () => `teams.get?${send({ id: ID })}`],
  ['a member’s procedure for a visitor', () => 'users.dashboard'],
  ['a member’s procedure for a member', () => 'users.dashboard', asMember],
  ['an administrator’s procedure for a member', () => 'admin.stats', asMember],
  ['an invalid input of a caller without access', () => `users.dashboard?${send('x')}`],
  ['an unknown token', () => 'roles.list', () => ({ authorization: 'Bearer 0123456789abcdef0123' })],
  ['an authorization scheme other than Bearer', () => 'roles.list', () => ({ authorization: 'Basic eDp5' })],
  ['two inputs, of which the first counts', () => `teams.leaderboard?${send({ limit: 0 })}&${send({ limit: 1 })}`],
  ['parameters beside the input', () => `teams.leaderboard?x=%zz&&=&${send({ limit: 1 })}&batch=0`],
  ['a plus and an invalid escape in the input', () => 'teams.list?input=%7B%22search%22:%22a+b%E0%22%7D'],
  ['an encoded procedure name', () => `teams%2Eleaderboard?${send({ limit: 1 })}`],
  ['a JSON content type', () => 'roles.list', () => ({ 'content-type': 'Application/JSON; charset=x' })],
  ['a batch of one', () => `roles.list?batch=1&${send({})}`],
  ['a batch without input', () => 'roles.list,teams.leaderboard?batch=1'],
  [
    'a batch with inputs by index',
    () => `teams.get,roles.list,teams.leaderboard?batch=1&${send({ 0: { id: teamId }, 2: { limit: 1 } })}`,
  ],
  [
    'a batch with one procedure twice',
    () => `teams.leaderboard,teams.leaderboard?batch=1&${send({ 0: { limit: 1 }, 1: { limit: 2 } })}`,
  ],
  [
    'a batch of successes and failures',
    () => `roles.list,teams.get,users.dashboard,teams.leaderboard?batch=1&${send({ 1: { id: ID }, 3: { limit: 0 } })}`,
  ],
  ['a batch of failures with one status', () => 'users.dashboard,admin.stats?batch=1'],
  ['an encoded comma', () => 'roles.list%2Croles.list?batch=1'],
  ['a batch of the maximum size', () => `${times(10)}?batch=1`],
  ['two batch parameters, of which the first counts', () => 'roles.list?batch=1&batch=0'],
])('%s gets the same response as from the adapter', async (_what, query, headers) => {
  const { answer, expected, isHandled } = await sendToBoth(`/trpc/${query()}`, headers?.())
  expect(answer).toEqual(expected)
  expect(isHandled).toBe(true)
})

it.each<QueryCase>([
  ['an unknown procedure', () => 'no.such'],
  ['the name of an inherited property', () => 'constructor'],
  ['a mutation', () => `auth.login?${send({ email: 'a@b.ma', password: 'x' })}`],
  ['malformed input', () => 'teams.leaderboard?input=%7B'],
  ['malformed input for a procedure without input', () => 'roles.list?input=%7B'],
  ['malformed input of a caller without access', () => 'users.dashboard?input=%7B'],
  ['malformed connection parameters', () => 'roles.list?connectionParams=x'],
  ['an empty batch', () => '?batch=1'],
  ['a batch of empty names', () => ',?batch=1'],
  ['a batch with an empty name', () => 'roles.list,?batch=1'],
  ['a batch with an unknown procedure', () => 'roles.list,no.such?batch=1'],
  ['a batch with a mutation', () => 'roles.list,auth.login?batch=1'],
  ['a batch with an array of inputs', () => `roles.list,teams.leaderboard?batch=1&${send([{}, { limit: 0 }])}`],
  ['a batch with null as inputs', () => 'roles.list,teams.leaderboard?batch=1&input=null'],
  ['a batch with malformed input', () => 'roles.list,teams.leaderboard?batch=1&input=%7B'],
  ['a batch beyond the maximum size', () => `${times(11)}?batch=1`],
  ['several names without a batch', () => 'roles.list,roles.list'],
  ['an invalid host', () => 'roles.list', () => ({ host: 'a b' })],
])('%s is left to the adapter', async (_what, query, headers) => {
  const { answer, expected, isHandled } = await sendToBoth(`/trpc/${query()}`, headers?.())
  expect(answer).toEqual(expected)
  expect(isHandled).toBe(false)
})

it.each([
  { 'trpc-accept': 'application/jsonl' },
  { accept: 'text/html, application/jsonl' },
  { accept: 'text/event-stream' },
] as Record<string, string>[])('rejects a request for a streamed response: %o', async (headers) => {
  const { status, body } = await get('/trpc/roles.list?batch=1', headers)
  expect([status, JSON.parse(body)]).toMatchObject([
    400,
    { success: false, code: 'VALIDATION', message: expect.stringContaining('not supported') },
  ])
})

it('leaves warm-up requests to the adapter', async () => {
  expect(await get('/trpc/roles.list', {}, 'HEAD')).toMatchObject({ status: 204, body: '' })
})
