import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { maskRequestId } from './request-id.ts'
import { openTestServer, type TestUser, type TestServer } from './test-server.ts'

let server: TestServer
let port: number
let member: TestUser
let teamId: string
beforeAll(async () => {
  server = await openTestServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
  member = await server.createMember()
  teamId = (await server.createTeam(member, { name: 'Zellige 🎉 فريق' })).id
})
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

/** Sends a query to the query handler and to the adapter, which the header `trpc-accept` selects. */
async function sendToBoth(path: string, headers: Record<string, string> = {}) {
  const fromHandler = await get(path, headers)
  const fromAdapter = await get(path, { ...headers, 'trpc-accept': 'application/json' })
  const { length, ...actual } = fromHandler
  const { length: sent, ...wanted } = fromAdapter
  // The adapter does not compress.
  const { vary } = actual.headers
  if (typeof vary === 'string') actual.headers['vary'] = vary.replace(', accept-encoding', '')
  // The adapter streams, so it has no Content-Length.
  return { answer: actual, wanted, isFromHandler: length !== undefined && sent === undefined }
}

it.each<QueryCase>([
  ['a query', () => `teams.leaderboard?${send({ limit: 5 })}`],
  ['a query without input', () => 'roles.list'],
  ['a response in several alphabets', () => `teams.get?${send({ id: teamId })}`, asMember],
  ['input for a procedure that takes none', () => `roles.list?${send({ a: 1 })}`],
  ['empty input', () => 'teams.leaderboard?input='],
  ['null as input', () => 'teams.leaderboard?input=null'],
  ['a string as input', () => 'teams.leaderboard?input=%22x%22'],
  ['invalid input', () => `teams.leaderboard?${send({ limit: 0 })}`],
  ['invalid input in several fields', () => `teams.list?${send({ limit: 'x', page: -1, sort: 7 })}`],
  ['an unknown id', () => `teams.get?${send({ id: ID })}`],
  ['a members’ procedure, called by a visitor', () => 'users.dashboard'],
  ['a members’ procedure, called by a member', () => 'users.dashboard', asMember],
  ['an administrators’ procedure, called by a member', () => 'admin.stats', asMember],
  ['invalid input of a caller without access', () => `users.dashboard?${send('x')}`],
  ['an unknown token', () => 'roles.list', () => ({ authorization: 'Bearer 0123456789abcdef0123' })],
  ['another authorization scheme', () => 'roles.list', () => ({ authorization: 'Basic eDp5' })],
  ['two inputs, of which the first counts', () => `teams.leaderboard?${send({ limit: 0 })}&${send({ limit: 1 })}`],
  ['unknown parameters beside the input', () => `teams.leaderboard?x=%zz&&=&${send({ limit: 1 })}&batch=0`],
  ['a plus and a broken escape in the input', () => 'teams.list?input=%7B%22search%22:%22a+b%E0%22%7D'],
  ['a percent-encoded name', () => `teams%2Eleaderboard?${send({ limit: 1 })}`],
  ['a Content-Type', () => 'roles.list', () => ({ 'content-type': 'Application/JSON; charset=x' })],
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
    'a batch with successes and errors',
    () => `roles.list,teams.get,users.dashboard,teams.leaderboard?batch=1&${send({ 1: { id: ID }, 3: { limit: 0 } })}`,
  ],
  ['a batch of which everything is rejected', () => 'users.dashboard,admin.stats?batch=1'],
  ['a percent-encoded comma', () => 'roles.list%2Croles.list?batch=1'],
  ['the largest batch', () => `${times(10)}?batch=1`],
  ['two batch parameters, of which the first counts', () => 'roles.list?batch=1&batch=0'],
])('responds to %s as the adapter does', async (_what, query, headers) => {
  const { answer, wanted, isFromHandler } = await sendToBoth(`/trpc/${query()}`, headers?.())
  expect(answer).toEqual(wanted)
  expect(isFromHandler).toBe(true)
})

it.each<QueryCase>([
  ['an unknown procedure', () => 'no.such'],
  ['a property of Object.prototype as the name', () => 'constructor'],
  ['a mutation', () => `auth.login?${send({ email: 'a@b.ma', password: 'x' })}`],
  ['malformed input', () => 'teams.leaderboard?input=%7B'],
  ['malformed input for a procedure that takes none', () => 'roles.list?input=%7B'],
  ['malformed input of a caller without access', () => 'users.dashboard?input=%7B'],
  ['malformed connection parameters', () => 'roles.list?connectionParams=x'],
  ['an empty batch', () => '?batch=1'],
  ['a batch of empty names', () => ',?batch=1'],
  ['a batch with an empty name', () => 'roles.list,?batch=1'],
  ['a batch with an unknown procedure', () => 'roles.list,no.such?batch=1'],
  ['a batch with a mutation', () => 'roles.list,auth.login?batch=1'],
  ['an array as the inputs of a batch', () => `roles.list,teams.leaderboard?batch=1&${send([{}, { limit: 0 }])}`],
  ['null as the inputs of a batch', () => 'roles.list,teams.leaderboard?batch=1&input=null'],
  ['a batch with malformed input', () => 'roles.list,teams.leaderboard?batch=1&input=%7B'],
  ['a batch that is too long', () => `${times(11)}?batch=1`],
  ['several names without a batch', () => 'roles.list,roles.list'],
  ['an invalid Host header', () => 'roles.list', () => ({ host: 'a b' })],
])('leaves %s to the adapter', async (_what, query, headers) => {
  const { answer, wanted, isFromHandler } = await sendToBoth(`/trpc/${query()}`, headers?.())
  expect(answer).toEqual(wanted)
  expect(isFromHandler).toBe(false)
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

it('leaves HEAD requests to the adapter', async () => {
  expect(await get('/trpc/roles.list', {}, 'HEAD')).toMatchObject({ status: 204, body: '' })
})
