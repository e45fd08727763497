import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Challenge, contract, type Domain, type Team } from '@community/contract'
import { type Connection, inTransaction, prepareAll } from '@community/db'
import { type InputOf, PASSWORD, uniqueEmail, validInput } from '@community/testing'
import { type Clock, clockOf } from '@community/testing/database/clock'
import { insertUser, rolesOf } from '@community/testing/database/rows'
import { createTestDatabase, type TestDatabase } from '@community/testing/database'
import { NO_LIMITS } from '@community/testing/server'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { buildApp } from '../src/app.ts'
import type { PasswordHasher } from '../src/auth/passwords.ts'
import { createSecret } from '../src/auth/secret.ts'
import { createSignIn } from '../src/auth/sessions.ts'
import type { Deps } from '../src/context.ts'
import { type CaughtMail, startMailCatcher } from '../src/embedded/mail-catcher.ts'
import { type Config, readConfig } from '../src/config.ts'
import { createMailer } from '../src/integrations/mailer.ts'
import { createPrimaryRead } from '../src/database/replica.ts'
import { createFileStorage } from '../src/integrations/storage-files.ts'
import { mailHandler } from '../src/jobs/mail.ts'
import { startWorker } from '../src/jobs/worker.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import { testClientInfo } from './client-info.ts'
import { checkResponse } from './response-checker.ts'

export interface RestResponse {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  /** The envelope. */
  body: {
    success: boolean
    message: string
    requestId?: string
    code?: string
    data?: any
    errors?: { msg: string; path: string }[]
    cooldown?: number
    expired?: true
    invalid?: true
  }
}

export interface TestUser {
  id: string
  name: string
  email: string
  token: string
  refreshToken: string
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type RestClient = (
  line: `${Method} ${string}`,
  body?: object,
  headers?: Record<string, string>,
) => Promise<RestResponse>

export interface TestServer {
  app: FastifyInstance
  deps: Deps
  db: Connection['db']
  sql: Connection['sql']
  clock: Clock
  /** Sends REST requests as a user or a visitor; checks every response against the OpenAPI document. */
  rest(user?: Pick<TestUser, 'token'> | null): RestClient
  /** Calls a procedure over HTTP without a batch. */
  trpc(
    user: Pick<TestUser, 'token'> | null,
    procedure: string,
    input?: unknown,
  ): Promise<{ status: number; data?: any; failure?: any }>
  createMember(name?: string): Promise<TestUser>
  createAdmin(): Promise<TestUser>
  createTeam(chef: TestUser, overrides?: Partial<InputOf<'teams.create'>>): Promise<Team>
  join(team: Team, user: TestUser): Promise<RestResponse>
  createChallenge(admin: TestUser, overrides?: Partial<InputOf<'admin.createChallenge'>>): Promise<Challenge>
  /** Resolves with the newest mail to an address that is not in `read`, waiting for it if necessary. */
  waitForMail(to: string, read?: CaughtMail[]): Promise<CaughtMail>
  caughtMails(): CaughtMail[]
  mailedCode(to: string, read?: CaughtMail[]): Promise<string>
  /** Stops sending mails; queued ones stay queued. */
  stopWorker(): Promise<void>
  close(): Promise<void>
}

/** The data of a successful response; throws otherwise. */
export async function dataOf(response: Promise<RestResponse>): Promise<any> {
  const { status, body } = await response
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body.data
}

/** Removes a failure's request id, which must be the header's, so that tests can compare two responses. */
function withoutRequestId(body: { requestId?: string } | undefined, headers: RestResponse['headers']): void {
  if (body?.requestId === undefined) return
  if (body.requestId !== headers['x-request-id']) throw new Error('The body names another request than the header')
  delete body.requestId
}

const isNewMailTo = (to: string, read: CaughtMail[]) => (mail: CaughtMail) =>
  mail.to.includes(to) && !read.includes(mail)

const hashes = new WeakMap<PasswordHasher['hash'], Promise<string>>()
/** The hash of `PASSWORD`, computed once per hasher. */
function passwordHash({ hash }: PasswordHasher): Promise<string> {
  const known = hashes.get(hash) ?? hash(PASSWORD)
  hashes.set(hash, known)
  return known
}

/** Opens a server with its own database, files, mail catcher and worker, and factories for users and teams. */
export const openTestServer = async (
  settings: Record<string, string> = {},
  overrides: Partial<Deps> = {},
): Promise<TestServer> => openTestServerOn(await createTestDatabase(), settings, overrides)

/** Like `openTestServer`, on a given database. */
export async function openTestServerOn(
  database: TestDatabase,
  settings: Record<string, string> = {},
  overrides: Partial<Deps> = {},
): Promise<TestServer> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-test-server-'))
  const config: Config = readConfig({ NODE_ENV: 'test', DATA_DIR: dir, ...NO_LIMITS, ...settings })
  const catcher = await startMailCatcher({ dir: path.join(dir, 'mails') })
  const connection = database.connect()
  const health = database.connect({ max: 1 })
  const exporting = database.connect({ max: 1, hasAnswerTimeout: false })
  await prepareAll()
  const mailer = createMailer({ smtpUrl: catcher.smtpUrl, from: config.mailFrom })
  const deps: Deps = {
    config,
    db: connection.db,
    healthDb: health.db,
    replica: null,
    readStats: createPrimaryRead(connection.db),
    readExport: createPrimaryRead(exporting.db),
    openDirect: () => database.connect({ max: 1, hasAnswerTimeout: false }),
    storage: createFileStorage(path.join(dir, 'files')),
    mailer,
    identityProvider: null,
    passwords: cheapPasswords,
    secret: createSecret(randomBytes(32)),
    log: pino({ level: 'silent' }),
    ...overrides,
  }
  const worker = startWorker(deps, { mail: mailHandler(deps) })
  const app = await buildApp(deps)
  await app.ready()
  const hash = await passwordHash(deps.passwords)

  async function createUser(role: 'member' | 'admin', name: string): Promise<TestUser> {
    const email = uniqueEmail()
    const { result: signedIn } = await inTransaction(connection.db, async (tx) => {
      const user = await insertUser(tx, { name, email, role, passwordHash: hash })
      return createSignIn(tx, deps, user, testClientInfo())
    })
    return { id: signedIn.user.id, name, email, token: signedIn.token, refreshToken: signedIn.refreshToken }
  }

  const authorization = (user?: Pick<TestUser, 'token'> | null) =>
    user ? { authorization: `Bearer ${user.token}` } : {}
  const rest: TestServer['rest'] = (user) => async (line, body, headers) => {
    const [method, url] = line.split(' ') as [Method, string]
    const response = await app.inject({
      method,
      url: `/api${url}`,
      headers: { ...authorization(user), ...headers },
      ...(body && { payload: body }),
    })
    const result: RestResponse = { status: response.statusCode, headers: response.headers, body: response.json() }
    checkResponse(method, url, result.status, result.body)
    withoutRequestId(result.body, result.headers)
    return result
  }
  const server: TestServer = {
    app,
    deps,
    db: connection.db,
    sql: connection.sql,
    clock: clockOf(connection.sql),
    rest,
    async trpc(user, procedure, input) {
      const [domain, name] = procedure.split('.') as [keyof typeof contract, string]
      const isQuery = (contract[domain] as Domain)[name]?.method === 'GET'
      const encoded = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
      const response = await app.inject({
        method: isQuery ? 'GET' : 'POST',
        url: `/trpc/${procedure}${isQuery ? encoded : ''}`,
        headers: { ...authorization(user), 'content-type': 'application/json' },
        ...(!isQuery && { payload: JSON.stringify(input ?? {}) }),
      })
      const body = response.json<{
        result?: { data: unknown }
        error?: { data: { failure: { requestId?: string } } }
      }>()
      const failure = body.error?.data.failure
      withoutRequestId(failure, response.headers)
      return { status: response.statusCode, data: body.result?.data, failure }
    },
    createMember: (name = 'Sara El Amrani') => createUser('member', name),
    createAdmin: () => createUser('admin', 'Lalla Admin'),
    async createTeam(chef, overrides) {
      const rolesNeeded = (await rolesOf(connection.db)).slice(0, 2)
      return (await dataOf(rest(chef)('POST /teams', validInput('teams.create', { rolesNeeded, ...overrides })))).team
    },
    join(team, user) {
      const { id, ...form } = validInput('teams.join', { id: team.id, role: team.rolesNeeded[0] ?? { id: '' } })
      return rest(user)(`POST /teams/${id}/join`, form)
    },
    async createChallenge(admin, overrides) {
      const form = validInput('admin.createChallenge', overrides)
      return (await dataOf(rest(admin)('POST /admin/challenges', form))).challenge
    },
    waitForMail: (to, read = []) => catcher.waitFor(isNewMailTo(to, read)),
    caughtMails: () => catcher.list(),
    async mailedCode(to, read = []) {
      const isNew = isNewMailTo(to, read)
      const mail = await catcher.waitFor((candidate) => isNew(candidate) && /\b\d{6}\b/.test(candidate.subject))
      return /\b\d{6}\b/.exec(mail.subject)?.[0] ?? ''
    },
    stopWorker: () => worker.stop(),
    async close() {
      await app.close()
      await worker.stop()
      mailer.close()
      await catcher.close()
      await Promise.all([connection.close(), health.close(), exporting.close()])
      await database.drop()
      await rm(dir, { recursive: true, force: true })
    },
  }
  return server
}
