import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { Client } from '../harness/client.ts'
import { type ObjectStore, openObjectStore } from '@community/testing/object-store'
import {
  freePort,
  MAIN,
  readiness,
  type Server,
  type Settings,
  serverWith,
  startServerWith,
} from '@community/testing/server'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, timeLimit, type Guarantee, type GuaranteeContext } from '../guarantee.ts'

/** Milliseconds until a wrong setting is told, and until a server is ready after its database's return. */
const LIMITS = { wrong: 2000, back: 3000 }

interface Refused {
  code: number | null
  said: string
  took: number
}

/** Starts the server where it must not start. */
async function refusedStart(settings: Settings): Promise<Refused> {
  const began = performance.now()
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
    env: { PATH: process.env.PATH, ...settings, PORT: settings.PORT ?? String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  return { code, said, took: performance.now() - began }
}

/** Settings that are wrong by themselves, by the name that must be told. */
const WRONG: [name: string, settings: Record<string, string | undefined>][] = [
  ['PORT', { PORT: '70000' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://app@127.0.0.1/x' }],
  ['APP_SECRET', { APP_SECRET: 'short' }],
  ['SMTP_URL', { SMTP_URL: 'mail.example' }],
  ['ADMIN_PASSWORD', { ADMIN_PASSWORD: 'password' }],
  ['S3_SECRET_ACCESS_KEY', { S3_BUCKET: 'community', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: undefined }],
  ['TRUST_PROXY', { TRUST_PROXY: 'everybody' }],
  ['DRAIN_SECONDS', { DRAIN_SECONDS: 'soon' }],
]

async function expectRefused(name: string, settings: Settings, within: number, violations: string[]): Promise<number> {
  const { code, said, took } = await refusedStart(settings)
  if (code !== 1) violations.push(`${name}: the start ended with ${code}`)
  if (!said.split('\n').some((line) => line.trim().startsWith(name))) violations.push(`${name} is not told: ${said}`)
  if (took > within) violations.push(`${name}: told only after ${Math.round(took)} ms`)
  return took
}

/** Without mail and without the provider of sign-ins it starts, and finds them later by itself. */
async function startsWithout(fixture: Fixture, violations: string[]): Promise<number> {
  const { mail, people, settings } = fixture
  await mail.shut()
  const server = await startServerWith({
    ...settings,
    PORT: String(await freePort()),
    OAUTH_ISSUER: `http://127.0.0.1:${await freePort()}`,
    OAUTH_CLIENT_ID: 'community',
    OAUTH_CLIENT_SECRET: 'a secret of a guarantee',
  })
  try {
    const { email } = await people.member()
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/auth/forgot-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    if (answer.status !== 200) violations.push(`without a mail server a new password is answered ${answer.status}`)
    await mail.open()
    const began = performance.now()
    await mail.codeFor(email)
    return performance.now() - began
  } finally {
    await server.end('SIGKILL')
  }
}

const ABSENT = ['database', 'storage', 'mail'] as const
type Absent = (typeof ABSENT)[number]

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 60_000; !(await isSo().catch(() => false)); await sleep(10))
    if (performance.now() > end) throw new Error(what)
}

/** Starts a server without database, storage and mail, and hands it over once it answers. */
async function startWithout(fixture: Fixture, store: ObjectStore): Promise<Server> {
  await Promise.all([fixture.mail.shut(), fixture.postgres.stop()])
  store.network.isRefusing = true
  const server = await serverWith({ ...fixture.settings, ...store.settings, PORT: String(await freePort()) })
  server.launch()
  await until('it does not listen', async () => (await readiness(server.port)) === 503)
  return server
}

/** It stays up and says so; as they return, in the order given, it is ready by itself. Answers how long after the database. */
async function findsThemLater(
  fixture: Fixture,
  store: ObjectStore,
  order: Absent[],
  context: GuaranteeContext,
  violations: string[],
): Promise<number> {
  const tell = (what: string) => violations.push(`${order.join(', ')}: ${what}`)
  const bringBack: Record<Absent, () => Promise<void>> = {
    database: () => fixture.postgres.start(),
    storage: async () => void (store.network.isRefusing = false),
    mail: () => fixture.mail.open(),
  }
  const server = await startWithout(fixture, store)
  const client = new Client(server.port)
  try {
    let back = 0
    for (const service of order) {
      if (back === 0)
        for (const line of ['GET /health', 'GET /roles', 'POST /auth/login']) {
          const { status, headers } = await client.call(line)
          if (status !== 503 || !headers['retry-after']) tell(`${line} is answered ${status} without a database`)
        }
      await bringBack[service]()
      if (service !== 'database') continue
      const began = performance.now()
      await server.untilReady()
      back = performance.now() - began
      if (back > timeLimit(context, LIMITS.back)) tell(`ready only ${Math.round(back)} ms after the database`)
    }
    const { host, password } = new URL(fixture.postgres.url)
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes('DATABASE_URL: '))
    if (lines.length === 0 || lines.some((line) => !line.includes(host)))
      tell(`what is missing is not told: ${lines.join()}`)
    if (server.output().includes(password)) tell('the password is told')
    await until('storage and mail stay down', async () => {
      const { data } = (await client.call('GET /health')).body as { data: Record<string, unknown> }
      return ABSENT.every((service) => data[service] === 'up')
    })
    const { email } = await fixture.people.member()
    await client.call('POST /auth/forgot-password', { body: { email } })
    await fixture.mail.codeFor(email)
    return back
  } finally {
    client.close()
    await server.end('SIGKILL')
  }
}

/** A stop while it waits for its database ends it well. */
async function stopsWhileWaiting(fixture: Fixture, store: ObjectStore, violations: string[]): Promise<void> {
  const server = await startWithout(fixture, store)
  const code = await server.end('SIGTERM')
  if (code !== 0) violations.push(`a stop while the database is away ended with ${code}`)
  await Promise.all([fixture.postgres.start(), fixture.mail.open()])
}

export const guarantee: Guarantee = {
  id: 'R23',
  statement:
    'A wrong setting stops the start by its name; a missing service does not: the server is ready once the database is there',
  async run(context) {
    const { violations } = context
    const wrong = byTier(context, { short: WRONG.slice(0, 4), full: WRONG, long: WRONG })
    const dir = await mkdtemp(path.join(os.tmpdir(), 'community-start-'))
    const store = await openObjectStore()
    context.after(() => rm(dir, { recursive: true, force: true }))
    context.after(() => store.close())
    const fixture = await context.open()
    const base = { ...fixture.settings, DATA_DIR: dir }
    const told: number[] = []
    for (const [name, change] of wrong) {
      const settings: Settings = { ...base }
      for (const [key, value] of Object.entries(change))
        if (value === undefined) delete settings[key]
        else settings[key] = value
      told.push(await expectRefused(name, settings, timeLimit(context, LIMITS.wrong), violations))
    }
    const mailed = await startsWithout(fixture, violations)
    const orders = fc.sample(fc.shuffledSubarray([...ABSENT], { minLength: ABSENT.length }), {
      numRuns: byTier(context, { short: 1, full: 6, long: 30 }),
      seed: context.seed,
    })
    const back: number[] = []
    for (const order of orders) back.push(await findsThemLater(fixture, store, order, context, violations))
    await stopsWhileWaiting(fixture, store, violations)
    return {
      'wrong settings, each told by its name': `${wrong.length}, the slowest after ${Math.round(Math.max(...told))} ms`,
      'mail away at the start': `the first mail ${Math.round(mailed)} ms after its return`,
      'database, storage and mail away at the start': `${orders.length} orders of their return; ready by itself ${Math.round(Math.max(...back))} ms after the database at most`,
    }
  },
}
