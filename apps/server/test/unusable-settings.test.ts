import { type ChildProcess, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type Server } from 'node:http'
import { connect, createServer, type Server as NetServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSampled, listenLocally } from '@community/testing'
import { createTestDatabase, databaseUrlOf, type TestDatabase } from '@community/testing/database'
import { realS3Settings } from '@community/testing/object-store'
import { buildServer, freePort, launch, BUNDLE_PATHS, type Settings } from '@community/testing/server'
import pino from 'pino'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'
import { startServer } from '../src/start/serve.ts'

const SECRET = 'a-secret-that-nobody-may-read-in-a-log'
/** An unavailable database: other wrong settings must stop the start anyway. */
const UNAVAILABLE_DATABASE = 'postgres://u:p@127.0.0.1:9/x'
const children: ChildProcess[] = []
const servers: (Server | NetServer)[] = []
let folder: string
let database: TestDatabase
beforeAll(async () => {
  buildServer()
  database = await createTestDatabase()
})
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'community-start-'))
  await chmod(folder, 0o755)
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close()
  await chmod(folder, 0o755)
  await rm(folder, { recursive: true, force: true })
})
afterAll(() => database.drop())

async function listen(server: Server | NetServer): Promise<string> {
  servers.push(server)
  return `127.0.0.1:${await listenLocally(server)}`
}

/** The command lines of processes that contain a name. */
function findProcesses(name: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`]
      } catch {
        // Ended in the meantime.
        return []
      }
    })
    .filter((line) => line.includes(name))
}

/** Starts a process, which must exit in time with one line that starts with the setting's name. */
async function expectProcessRejected(settings: Settings, name: string, advice: string | RegExp, uid?: number) {
  const { child, output, exited } = await launch(settings, uid === undefined ? {} : { uid })
  children.push(child)
  const { code, took } = await exited
  const lines = output.err.split('\n').filter((line) => line.startsWith(`${name}: `))
  expect([lines.length, output.err]).toEqual([1, expect.anything()])
  expect(lines[0]).toMatch(advice)
  expect(code).toBe(1)
  expect(output.out).toBe('')
  expect(output.err).not.toMatch(/^\s+at /m)
  expect(output.err).not.toContain(SECRET)
  expect(took).toBeLessThan(15_000)
  expect(findProcesses(folder)).toEqual([])
}

/** Starts a server, which must fail in time with an error that starts with the setting's name, and leave no process. */
async function expectStartRejected(settings: Settings, name: string, advice: string | RegExp) {
  // Silences log lines about services that are unavailable.
  const all = { DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'fatal', ...settings }
  const startedAt = Date.now()
  const config = readConfig({ ...BUNDLE_PATHS, NODE_ENV: 'test', PORT: String(await freePort()), ...all })
  const server = startServer(config, pino({ level: 'silent' }))
  const error: unknown = await server.ready.catch((reason: unknown) => reason)
  await server.stop()
  expect(error).toBeInstanceOf(ConfigError)
  const { message } = error as ConfigError
  expect(message).toMatch(new RegExp(`^${name}: `))
  expect(message).toMatch(advice)
  expect(message).not.toMatch(/\n/)
  expect(message).not.toContain(SECRET)
  expect(Date.now() - startedAt).toBeLessThan(15_000)
  expect(findProcesses(folder)).toEqual([])
  if (isSampled(`${expect.getState().currentTestName} ${advice}`, 1 / 8)) await expectProcessRejected(all, name, advice)
}

/** Starts a process, which must get ready and print a warning. */
async function expectStartWithWarning(settings: Settings, warning: RegExp) {
  const { child, output, exited } = await launch({ DATA_DIR: path.join(folder, 'data'), ...settings })
  children.push(child)
  await expect.poll(() => output.out, { timeout: 20_000, message: output.err }).toMatch(warning)
  await expect.poll(() => output.out, { timeout: 20_000 }).toContain('Ready after')
  expect(output.out + output.err).not.toContain(SECRET)
  expect(output.err).not.toMatch(/^\s+at /m)
  child.kill('SIGTERM')
  expect((await exited).code).toBe(0)
}

describe('DATA_DIR', () => {
  const at = (name: string) => path.join(folder, name)
  const expectRejection = (dataDir: string, advice: string | RegExp) =>
    expectStartRejected({ DATA_DIR: dataDir }, 'DATA_DIR', advice)

  it('rejects a file', async () => {
    await writeFile(at('data'), 'mine')
    await expectRejection(at('data'), 'is a file; it must be a folder that this process can create and write to')
    await expectRejection(at('data/deeper'), 'is a file; it must be a folder')
    expect(await readFile(at('data'), 'utf8')).toBe('mine')
  })

  it('rejects a folder in which nothing can be created, also under /proc', async () => {
    await expectRejection(
      '/proc/community/data',
      /\/proc\/community\/data cannot be written to \(\w+\); it must be a folder/,
    )
    await expectRejection('/sys/community', /\/sys\/community cannot be written to \(\w+\); it must be a folder/)
  })

  it('rejects a folder that holds other files under its names, and leaves them unchanged', async () => {
    const taken = {
      postgres: 'the embedded PostgreSQL cannot be stored under',
      files: 'files cannot be stored under',
      mails: 'caught mails cannot be stored under',
    }
    for (const [name, advice] of Object.entries(taken)) {
      const dataDir = at(`with-${name}`)
      await mkdir(dataDir)
      await writeFile(path.join(dataDir, name), 'mine')
      await expectRejection(dataDir, advice)
      expect(await readFile(path.join(dataDir, name), 'utf8')).toBe('mine')
    }
  }, 60_000)

  it('rejects a folder with a foreign PostgreSQL or secret and leaves them unchanged', async () => {
    const theirs = path.join(at('cluster'), 'postgres', 'data')
    await mkdir(theirs, { recursive: true })
    await writeFile(path.join(theirs, 'PG_VERSION'), '16')
    await expectRejection(at('cluster'), /postgres has foreign files, such as data: move them/)
    expect(await readdir(theirs)).toEqual(['PG_VERSION'])

    await mkdir(at('secret'))
    await writeFile(path.join(at('secret'), 'app-secret'), 'short')
    await expectRejection(at('secret'), /app-secret is too short: delete it, or set APP_SECRET/)
    expect(await readFile(path.join(at('secret'), 'app-secret'), 'utf8')).toBe('short')
  })

  it('reports why PostgreSQL does not start', async () => {
    const postgresDir = path.join(at('data'), 'postgres')
    await mkdir(path.join(postgresDir, 'data'), { recursive: true })
    for (const name of ['password', 'initialised']) await writeFile(path.join(postgresDir, name), 'x')
    await expectRejection(
      at('data'),
      /the embedded PostgreSQL cannot be stored under .*: PostgreSQL did not start \(.*postgres/,
    )
  }, 30_000)

  // Permissions do not apply to root, so another account starts the server if it can reach it.
  const nobody = process.getuid?.() === 0 ? 65_534 : undefined
  const source = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const canRead = spawnSync('/bin/sh', ['-c', 'test -r "$1"', 'sh', source], { uid: nobody, gid: nobody }).status === 0
  it.runIf(canRead)('rejects a read-only folder', async () => {
    await mkdir(at('closed'))
    await chmod(at('closed'), 0o555)
    for (const name of ['closed', 'closed/deeper']) {
      const settings = { DATA_DIR: at(name), LOG_LEVEL: 'fatal' }
      const advice = `${name} cannot be written to (EACCES); it must be a folder that`
      await expectProcessRejected(settings, 'DATA_DIR', advice, nobody)
    }
  })
})

describe('DATABASE_URL', () => {
  const expectRejection = (url: string, advice: string | RegExp) =>
    expectStartRejected({ DATABASE_URL: url }, 'DATABASE_URL', advice)
  const changeUrl = (change: (url: URL) => void) => {
    const url = new URL(database.url)
    change(url)
    return url.href
  }

  it('rejects an unknown host', () =>
    expectRejection(`postgres://app:${SECRET}@no.such.invalid/x`, 'unknown host no.such.invalid: correct the address'))

  it('rejects a wrong or malformed password', async () => {
    const wrong = changeUrl((url) => (url.password = SECRET))
    await expectRejection(wrong, /refuses the user "app": correct the user or the password/)
    await expectRejection(
      wrong.replace('://app:', '://app:%zz'),
      /cannot be used \(URI malformed\); it must lead to a PostgreSQL 15/,
    )
  })

  it('rejects a missing database', () =>
    expectRejection(
      changeUrl((url) => (url.pathname = '/nowhere')),
      /has no database "nowhere": create it, or name another/,
    ))

  it('rejects a server older than PostgreSQL 15', async () => {
    const { host } = new URL(database.url)
    const [hostname = '', port = ''] = host.split(':')
    const sql = postgres(database.url, { max: 1 })
    const [version] = await sql<{ server_version_num: string }[]>`show server_version_num`
    await sql.end()
    // A proxy to the real server that changes its version.
    const older = createServer((client) => {
      const server = connect(Number(port), hostname)
      client.pipe(server)
      server.on('data', (bytes) =>
        client.write(
          Buffer.from(bytes.toString('latin1').replace(version?.server_version_num ?? '', '140012'), 'latin1'),
        ),
      )
      for (const side of [client, server])
        side.on('error', () => {}).on('close', () => (client.destroy(), server.destroy()))
    })
    const address = await listen(older)
    await expectRejection(
      changeUrl((url) => (url.host = address)),
      /is PostgreSQL 14; it must be 15 or newer/,
    )
  })

  it('rejects a user who may not create tables', async () => {
    const sql = postgres(inject('postgresServer').url, { max: 1, onnotice: () => {} })
    const name = `guest_${randomBytes(4).toString('hex')}`
    try {
      await sql.unsafe(`create role ${name} login password '${SECRET}'`)
      await sql.unsafe(`create database ${name}`)
      const url = new URL(databaseUrlOf(inject('postgresServer').url, name))
      Object.assign(url, { username: name, password: SECRET })
      await expectRejection(url.href, /may not create what the product needs .*let them own it, or grant them CREATE/)
    } finally {
      await sql.unsafe(`drop database if exists ${name}`)
      await sql.unsafe(`drop role if exists ${name}`)
      await sql.end()
    }
  })

  it('rejects a read-only server', () =>
    expectRejection(
      changeUrl((url) => url.searchParams.set('default_transaction_read_only', 'on')),
      /is read-only: name the primary server/,
    ))

  it('rejects a parameter unknown to PostgreSQL', () =>
    expectRejection(
      changeUrl((url) => url.searchParams.set('no_such_parameter', '1')),
      /cannot be used \(unrecognized configuration parameter "no_such_parameter"/,
    ))
})

describe('S3', () => {
  const settings = {
    S3_BUCKET: 'community',
    S3_ACCESS_KEY_ID: 'the-key',
    S3_SECRET_ACCESS_KEY: SECRET,
    DATABASE_URL: UNAVAILABLE_DATABASE,
  }
  const xml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`
  type Reply = [status: number, code: string] | null
  /** A fake S3 that rejects requests. */
  const listenAsFakeS3 = (reply: (isBucket: boolean) => Reply) =>
    listen(
      createHttpServer((request, response) => {
        const path_ = new URL(request.url ?? '/', 'http://s3').pathname
        const [status, code] = reply(path_.replace(/\/$/, '') === '/community') ?? [200, '']
        response.writeHead(status, { 'content-type': 'application/xml' }).end(code && xml(code))
      }),
    )

  it.each<[name: string, status: number, code: string, advice: RegExp]>([
    ['S3_ACCESS_KEY_ID', 403, 'InvalidAccessKeyId', /does not know the key "the-key": correct it/],
    ['S3_SECRET_ACCESS_KEY', 403, 'SignatureDoesNotMatch', /it does not belong to the key "the-key" at .*: correct it/],
    ['S3_REGION', 400, 'AuthorizationHeaderMalformed', /is not in "us-east-1": name its region/],
    ['S3_BUCKET', 403, 'AccessDenied', /may not write to the bucket "community" .*: grant it/],
    [
      'S3_ENDPOINT',
      404,
      'Nonsense',
      /does not answer as an S3-compatible storage \(Nonsense, HTTP 404\): it must lead to one/,
    ],
  ])('rejects %s if S3 responds with %i %s', async (name, status, code, advice) => {
    const address = await listenAsFakeS3(() => [status, code])
    await expectStartRejected({ ...settings, S3_ENDPOINT: `http://${address}` }, name, advice)
  })

  it('rejects a missing S3_BUCKET that may not be created', async () => {
    const address = await listenAsFakeS3((isBucket) => (isBucket ? [403, 'AccessDenied'] : [404, 'NoSuchBucket']))
    const advice =
      /there is no bucket "community", and the key "the-key" may not create one: create it, or name another/
    await expectStartRejected({ ...settings, S3_ENDPOINT: `http://${address}` }, 'S3_BUCKET', advice)
  })

  it('rejects an S3_ENDPOINT with an unknown host or without S3', async () => {
    const expectRejection = (address: string, advice: string | RegExp) =>
      expectStartRejected({ ...settings, S3_ENDPOINT: `http://${address}` }, 'S3_ENDPOINT', advice)
    await expectRejection('no.such.invalid', 'unknown host in http://no.such.invalid: correct the address')
    const yes = await listen(createHttpServer((_request, response) => response.end('<!doctype html>')))
    await expectRejection(yes, /does not answer as an S3-compatible storage \(a stored object cannot be read back\)/)
  })

  it.each([
    [
      'nothing listens',
      () => Promise.resolve('127.0.0.1:9'),
      /nothing answers at http:\/\/127\.0\.0\.1:9 \(.*ECONNREFUSED/,
    ],
    ['nothing answers', () => listen(createServer()), /nothing answers at .* \(no answer in time\): start it there/],
    ['the service is not ready', () => listenAsFakeS3(() => [503, 'SlowDown']), /is not ready \(SlowDown, HTTP 503\)/],
  ] as const)('warns and starts when %s at S3_ENDPOINT', async (_name, address, advice) => {
    await expectStartWithWarning(
      { ...settings, ...database.settings, S3_ENDPOINT: `http://${await address()}` },
      advice,
    )
  })
})

describe.runIf(process.env.TEST_S3_ENDPOINT)('S3 on a real server', () => {
  const settings = () => ({
    ...realS3Settings(`start-${randomBytes(4).toString('hex')}`),
    DATABASE_URL: UNAVAILABLE_DATABASE,
  })
  it('names the wrong key or secret and creates a missing bucket', async () => {
    await expectStartRejected(
      { ...settings(), S3_ACCESS_KEY_ID: 'nobody' },
      'S3_ACCESS_KEY_ID',
      'does not know the key "nobody"',
    )
    await expectStartRejected(
      { ...settings(), S3_SECRET_ACCESS_KEY: SECRET },
      'S3_SECRET_ACCESS_KEY',
      'does not belong to the key',
    )
    await expectStartWithWarning({ ...settings(), ...database.settings }, /^/)
  }, 60_000)
})

describe('warns about an unavailable service and starts', () => {
  it.each([
    [
      'SMTP_URL',
      (address: string) => ({ SMTP_URL: `smtp://user:${SECRET}@${address}` }),
      /SMTP_URL: the mail server at 127\.0\.0\.1:\d+ cannot be used \(\w+\): start it, or correct the address/,
    ],
    [
      'OAUTH_ISSUER',
      (address: string) => ({ OAUTH_ISSUER: `http://${address}`, OAUTH_CLIENT_ID: 'id', OAUTH_CLIENT_SECRET: SECRET }),
      /OAUTH_ISSUER: the identity provider at http:\/\/127\.0\.0\.1:\d+ cannot be used \(.*\): it must answer at .*openid-configuration/,
    ],
  ])('%s', async (_name, settingsFor, warning) => {
    const address = `127.0.0.1:${await freePort()}`
    await expectStartWithWarning({ ...settingsFor(address), NODE_ENV: 'development', ...database.settings }, warning)
  })
})

describe('paths and addresses', () => {
  it('rejects a WEB_DIR without a built web app', () =>
    expectStartRejected(
      { ...database.settings, WEB_DIR: folder },
      'WEB_DIR',
      /holds no built web app \(.*\); build it/,
    ))
  it('rejects a MIGRATIONS_DIR without migrations', async () => {
    await expectStartRejected({ MIGRATIONS_DIR: folder }, 'MIGRATIONS_DIR', 'holds no migrations')
    expect(existsSync(path.join(folder, 'data', 'postgres'))).toBe(false)
  })
  it('rejects a HOST that is not an address of this machine', () =>
    expectStartRejected(
      { HOST: '203.0.113.7' },
      'HOST, PORT',
      /cannot listen on 203\.0\.113\.7:\d+ .*; set HOST to an address of/,
    ))
})
