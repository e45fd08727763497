import { until } from '@community/testing'
import { Client, isRetryLater, isSuccess, requestOf } from '@community/testing/api-client'
import { type ObjectStore, openObjectStore } from '@community/testing/object-store'
import {
  freePort,
  spawnServer,
  fetchReadiness,
  type Server,
  prepareServer,
  type Settings,
} from '@community/testing/server'
import fc from 'fast-check'
import { type Guarantee, type GuaranteeContext, inMs } from '../guarantee.ts'
import type { Fixture } from '../harness/fixture.ts'

/** Milliseconds until a wrong setting is reported, and from the database's return until the server is ready. */
const LIMITS = { wrong: 2000, back: 3000 }

/** Invalid settings, by the name that must be reported. */
const INVALID_SETTINGS: [name: string, settings: Settings][] = [
  ['PORT', { PORT: '70000' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://app@127.0.0.1/x' }],
  ['APP_SECRET', { APP_SECRET: 'short' }],
  ['SMTP_URL', { SMTP_URL: 'mail.example' }],
  ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'password' }],
  ['S3_SECRET_ACCESS_KEY', { S3_BUCKET: 'community', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: '' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'everybody' }],
  ['DRAIN_SECONDS', { DRAIN_SECONDS: 'soon' }],
]

/** A start with a wrong setting must end with 1 and report its name. */
async function expectRefused({ expect, expectWithin }: GuaranteeContext, name: string, settings: Settings) {
  const { child, output, exited } = spawnServer({ PORT: String(await freePort()), ...settings })
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000)
  const { code, took } = await exited
  clearTimeout(timer)
  const text = output.out + output.err
  expect(code === 1, `${name}: the start ended with ${code}`)
  const isNamed = text.split('\n').some((line) => line.trim().startsWith(name))
  expect(isNamed, `${name} is not reported: ${text}`)
  expectWithin(LIMITS.wrong, took, `${name}: the report`)
}

/** Requests a code, runs `beforeMail` and waits for the mail. */
async function expectCode({ expect }: GuaranteeContext, fixture: Fixture, server: Server, beforeMail = async () => {}) {
  const { email } = await fixture.createMember()
  const response = await new Client(server.port).call(requestOf('auth.forgotPassword', { email }))
  expect(isSuccess(response), `the request of a code is answered ${response.status}`)
  await beforeMail()
  await fixture.mail.codeFor(email)
}

/** The server starts without a mail server and an OpenID provider, and mails later. */
async function checkStartWithoutMail(context: GuaranteeContext, fixture: Fixture): Promise<void> {
  await fixture.mail.shut()
  const server = await fixture.startServer({
    OAUTH_ISSUER: `http://127.0.0.1:${await freePort()}`,
    OAUTH_CLIENT_ID: 'community',
    OAUTH_CLIENT_SECRET: 'a secret of a guarantee',
  })
  await expectCode(context, fixture, server, () => fixture.mail.open())
  await server.end('SIGKILL')
}

/** Starts a server without database, storage and mail server; resolves once it responds. */
async function startWithoutServices(fixture: Fixture, store: ObjectStore): Promise<Server> {
  await Promise.all([fixture.mail.shut(), fixture.postgres.stop()])
  store.network.isRefusing = true
  const server = await prepareServer({ ...fixture.settings, ...store.settings })
  server.launch()
  await until('it listens', async () => (await fetchReadiness(server.port)) === 503)
  return server
}

const SERVICES = ['database', 'storage', 'mail'] as const
type Service = (typeof SERVICES)[number]

/** The server reports the outage and is ready once the services are back, in any order. Resolves with its milliseconds after the database. */
async function checkLateServices(context: GuaranteeContext, fixture: Fixture, store: ObjectStore, order: Service[]) {
  const expect = (condition: boolean, what: string) => context.expect(condition, `${order.join(', ')}: ${what}`)
  const bringBack: Record<Service, () => Promise<void>> = {
    database: () => fixture.postgres.start(),
    storage: async () => void (store.network.isRefusing = false),
    mail: () => fixture.mail.open(),
  }
  const server = await startWithoutServices(fixture, store)
  const client = new Client(server.port)
  try {
    let back = 0
    for (const service of order) {
      if (back === 0)
        for (const line of ['GET /health', 'GET /roles', 'POST /auth/login']) {
          const response = await client.call(line)
          const isRefused = response.status === 503 && isRetryLater(response)
          expect(isRefused, `${line} is answered ${response.status} without a database`)
        }
      await bringBack[service]()
      if (service !== 'database') continue
      const startedAt = performance.now()
      await server.waitUntilReady()
      back = performance.now() - startedAt
    }
    context.expectWithin(LIMITS.back, back, `${order.join(', ')}: ready after the database it`)
    const { host, password } = new URL(fixture.postgres.url)
    const lines = server.output().split('\n')
    const reports = lines.filter((line) => line.includes('DATABASE_URL: '))
    const isReported = reports.length > 0 && reports.every((line) => line.includes(host))
    expect(isReported, `what is missing is not reported: ${reports.join()}`)
    expect(!server.output().includes(password), 'the password is reported')
    await until('storage and mail are up', async () => {
      const { body } = await client.call('GET /health')
      return SERVICES.every((service) => body?.data?.[service] === 'up')
    })
    await expectCode(context, fixture, server)
    return back
  } finally {
    await server.end('SIGKILL')
  }
}

/** A stop while the server waits for its database ends with exit code 0. */
async function checkEarlyStop({ expect }: GuaranteeContext, fixture: Fixture, store: ObjectStore): Promise<void> {
  const server = await startWithoutServices(fixture, store)
  const code = await server.end('SIGTERM')
  expect(code === 0, `a stop while the database is away ended with ${code}`)
  await Promise.all([fixture.postgres.start(), fixture.mail.open()])
}

export const guarantee: Guarantee = {
  id: 'R23',
  statement:
    'An invalid setting stops the start and is named; a missing service does not: the server is ready once the database is there',
  async run(context) {
    const { byTier, onFinished, openFixture, seed } = context
    const store = await openObjectStore()
    onFinished(() => store.close())
    const fixture = await openFixture()
    for (const [name, change] of INVALID_SETTINGS.slice(0, byTier({ short: 4, full: INVALID_SETTINGS.length })))
      await expectRefused(context, name, { ...fixture.settings, ...change })
    await checkStartWithoutMail(context, fixture)
    const anyOrder = fc.shuffledSubarray([...SERVICES], { minLength: SERVICES.length })
    const orders = fc.sample(anyOrder, { numRuns: byTier({ short: 1, full: 6, long: 30 }), seed })
    const back: number[] = []
    for (const order of orders) back.push(await checkLateServices(context, fixture, store, order))
    await checkEarlyStop(context, fixture, store)
    return { 'orders of the services’ return': orders.length, 'ready after the database': inMs(Math.max(...back)) }
  },
}
