import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { listenLocally, PASSWORD } from '@community/testing'
import { createTestDatabase } from '@community/testing/database'
import { PostgresJsPreparedQuery } from 'drizzle-orm/postgres-js'
import pino from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { readConfig } from '../config.ts'
import { openDeps } from '../deps.ts'

const sdk = vi.hoisted(() => ({ isLoaded: false }))
vi.mock('@opentelemetry/sdk-trace-node', (importOriginal) => {
  sdk.isLoaded = true
  return importOriginal()
})

type Value = { stringValue?: string; intValue?: number }
interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Value }[]
  status: { code?: number }
}
interface Message {
  resourceSpans: { resource: { attributes: { key: string; value: Value }[] }; scopeSpans: { spans: SentSpan[] }[] }[]
}

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const messages: string[] = []
/** Whether the SDK was loaded, with tracing off and then on. */
const loaded: boolean[] = []
let receiver: Server
let server: TestServer
let member: TestUser
const { execute } = PostgresJsPreparedQuery.prototype
let spans: SentSpan[] = []

const traceparent = (nth: number, flags = '01') => ({
  traceparent: `00-${TRACE.slice(0, -1)}${nth}-${CALLER}-${flags}`,
})
const spansOf = (nth: number) => spans.filter(({ traceId }) => traceId === `${TRACE.slice(0, -1)}${nth}`)
const attributesOf = ({ attributes }: SentSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value]))

/** Opens the dependencies of a server with these settings. */
async function open(settings: Record<string, string>) {
  const [folder, database] = [await mkdtemp(path.join(os.tmpdir(), 'community-tracing-')), await createTestDatabase()]
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: folder, ...database.settings, ...settings })
  const { deps, close } = await openDeps(config, pino({ level: 'silent' }))
  return {
    deps,
    async close() {
      await close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url === '/v1/traces') messages.push(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await import('../start/serve.ts')
  const endpoint = `http://127.0.0.1:${await listenLocally(receiver)}/`
  const off = await open({})
  loaded.push(sdk.isLoaded)
  await off.close()
  const { deps, close } = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  loaded.push(sdk.isLoaded)
  server = await openTestServer({}, { tracing: deps.tracing })
  member = await server.createMember('Secret Name')
  const { token } = member
  const call = (nth: number, line: Parameters<ReturnType<TestServer['rest']>>[0], body?: object) =>
    server.rest(nth === 4 ? null : { token })(line, body, traceparent(nth))
  await call(1, 'GET /users/profile?secret=of-the-query')
  // Over a socket: the body arrives later than the request.
  await fetch(`${await server.app.listen({ host: '127.0.0.1', port: 0 })}/api/users/profile`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...traceparent(2) },
    body: JSON.stringify({ name: 'Changed Name' }),
  })
  await call(3, 'GET /teams/11111111-1111-4111-8111-111111111111')
  await call(4, 'POST /auth/login', { email: member.email, password: PASSWORD })
  await server.app.inject({
    url: `/trpc/users.profile,users.dashboard?batch=1&input=${encodeURIComponent('{}')}`,
    headers: { authorization: `Bearer ${token}`, ...traceparent(5) },
  })
  await server.rest({ token })('GET /users/dashboard', undefined, traceparent(6, '00'))
  await server.rest()('GET /roles')
  // Sends the remaining spans.
  await close()
  spans = messages.flatMap((message) =>
    (JSON.parse(message) as Message).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((each) => each.spans),
    ),
  )
})
afterAll(async () => {
  await server.close()
  receiver.closeAllConnections()
  receiver.close()
})

/** The spans below a span, by name; each of a trace is checked to be below the caller's. */
function treeOf(nth: number) {
  const below = (id: string) => spansOf(nth).filter(({ parentSpanId }) => parentSpanId === id)
  const [request] = below(CALLER)
  if (!request) throw new Error(`no request in ${JSON.stringify(spansOf(nth))}`)
  return { request, children: below(request.spanId), below }
}

it('loads OpenTelemetry only if it is on', () => {
  expect(loaded).toEqual([false, true])
})

it('stops observing statements when it is closed', () => {
  expect(PostgresJsPreparedQuery.prototype.execute).toBe(execute)
})

it.each([
  [1, 'GET /api/users/profile', 'users.profile'],
  [2, 'PUT /api/users/profile', 'users.updateProfile'],
])('trace %i is %s with its procedure and statements, below the caller', (nth, name, procedure) => {
  const { request, children, below } = treeOf(nth)
  expect(request.name).toBe(name)
  expect(attributesOf(request)).toMatchObject({ 'http.route': '/api/users/profile', 'http.response.status_code': 200 })
  const span = children.find((child) => child.name === procedure)
  expect(span).toBeDefined()
  const statements = below(span?.spanId ?? '')
  expect(statements.length).toBeGreaterThan(0)
  for (const statement of statements) {
    expect(attributesOf(statement)).toMatchObject({ 'db.system.name': 'postgresql' })
    expect(attributesOf(statement)['db.query.text']).toMatch(/^\s*\w+ /)
  }
  // The session is looked up before the procedure.
  expect(children.length).toBeGreaterThan(1)
})

it('names the code of a failure, which is no error of the server', () => {
  const { request, children } = treeOf(3)
  expect(attributesOf(request)).toMatchObject({ 'http.route': '/api/teams/:id', 'http.response.status_code': 404 })
  const [procedure] = children.filter(({ name }) => name === 'teams.get')
  expect(procedure && attributesOf(procedure)).toMatchObject({ 'error.type': 'TEAM_MISSING' })
  expect([request.status.code ?? 0, procedure?.status.code ?? 0]).toEqual([0, 0])
})

it('has a span for each procedure of a batch', () => {
  const { request, children } = treeOf(5)
  expect(request.name).toBe('GET /trpc/batch')
  expect(children.map(({ name }) => name)).toEqual(expect.arrayContaining(['users.profile', 'users.dashboard']))
})

it('sends nothing of a request that its caller does not sample', () => {
  expect(spansOf(6)).toEqual([])
})

it('starts a trace for a request without a caller, and none for statements of jobs', () => {
  const own = spans.filter(({ traceId }) => !traceId.startsWith(TRACE.slice(0, -1)))
  const roots = own.filter(({ parentSpanId }) => !parentSpanId)
  expect(roots.map(({ name }) => name)).toEqual(['GET /api/roles'])
})

it('contains no values of requests or statements', () => {
  const all = messages.join()
  const { id, email, name, token } = member
  for (const value of [id, email, name, token, PASSWORD, 'Changed Name', 'of-the-query', '11111111-1111'])
    expect([value, all.includes(value)]).toEqual([value, false])
})

it('names the service', () => {
  const [message] = messages.map((each) => JSON.parse(each) as Message)
  const attributes = message?.resourceSpans[0]?.resource.attributes ?? []
  expect(attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'community' } })
})
