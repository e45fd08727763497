import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Call, sendOnce } from './driver.ts'

const SERVER = fileURLToPath(new URL('..', import.meta.url))
/** The web app's package. */
export const WEB = path.join(SERVER, '../web')
/** Beside the packages that the bundles leave outside. */
const OUT = path.join(SERVER, 'node_modules/.cache/bench')
const PRODUCT = path.join(OUT, 'product')
/** Nothing is answered from the response cache. */
const NOT_CACHED = path.join(OUT, 'product-not-cached')
const BUNDLES = { 'as shipped': PRODUCT, 'not cached': NOT_CACHED }
/** A copy of the built web app: a build beside the run does not pull it away. */
export const WEB_DIST = path.join(OUT, 'web')
const BARE = path.join(OUT, 'bare-server.mjs')

/** A bundle with one step changed: what that step costs. */
function changeStep(from: string, to: string, step: string, instead: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
  const changed = readdirSync(to)
    .filter((name) => name.endsWith('.js'))
    .filter((name) => {
      const file = path.join(to, name)
      const text = readFileSync(file, 'utf8')
      if (!text.includes(step)) return false
      writeFileSync(file, text.replace(step, instead))
      return true
    })
  if (changed.length !== 1) throw new Error(`${step} was found in ${changed.length} files of the bundle, not in one`)
}

/** Builds the product as it ships, its variant, and the bare programs: bundles all, so that starts compare. The web app was built before. */
export async function buildPrograms(): Promise<void> {
  rmSync(WEB_DIST, { recursive: true, force: true })
  cpSync(path.join(WEB, 'dist'), WEB_DIST, { recursive: true })
  execFileSync(process.execPath, ['build.mjs', PRODUCT], { cwd: SERVER })
  changeStep(PRODUCT, NOT_CACHED, 'key===void 0?make():cache(key,make)', 'make()')
  await build({
    entryPoints: [path.join(SERVER, 'bench/bare-server.ts')],
    outfile: BARE,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    external: ['@node-rs/argon2'],
  })
}

export interface Program {
  name: string
  port: number
  pid: number
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Waits for the first answer to a call; asks again every two milliseconds. */
async function firstAnswer(child: ChildProcess, port: number, call: Call): Promise<void> {
  while (child.exitCode === null) {
    const status = await sendOnce(port, call).catch(() => 500)
    if (status < 300) return
    await sleep(2)
  }
  throw new Error(`a program ended with ${child.exitCode} before it answered`)
}

interface Start {
  name: string
  file: string
  args?: string[]
  env: Record<string, string>
}

/** A program counts as started when it answers this. */
const FIRST_READ = '/api/teams/leaderboard?limit=100'

async function start({ name, file, args = [], env }: Start): Promise<Program> {
  const port = await freePort()
  const child = fork(file, args, {
    cwd: SERVER,
    // As `npm start` runs the product: not with the loader that runs this file.
    execArgv: ['--enable-source-maps'],
    env: { PATH: process.env.PATH, PORT: String(port), APP_URL: `http://127.0.0.1:${port}`, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  await firstAnswer(child, port, { path: FIRST_READ })
  return {
    name,
    port,
    pid: child.pid ?? 0,
    stop: async () => {
      child.disconnect()
      await ended
    },
  }
}

export type Bundle = keyof typeof BUNDLES

export interface ProductOptions {
  name: string
  databaseUrl: string
  dataDir: string
  bundle?: Bundle
}

/** One for all starts on a database: another would not start. */
const APP_SECRET = randomBytes(32).toString('base64')

/** The product as in production, with nothing embedded that it need not start. */
export const startProduct = ({ name, databaseUrl, dataDir, bundle = 'as shipped' }: ProductOptions): Promise<Program> =>
  start({
    name,
    file: path.join(BUNDLES[bundle], 'main.js'),
    env: {
      NODE_ENV: 'production',
      EMBEDDED: '1',
      APP_SECRET,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      // Nobody listens there: no mail is sent, and no catcher of mails is started.
      SMTP_URL: 'smtp://127.0.0.1:9',
      LOG_LEVEL: 'fatal',
      TRUST_PROXY: 'loopback',
      // All of the load comes from one address.
      READ_BUDGET_PER_ADDRESS: '100000000',
      READ_BUDGET_PER_PERSON: '100000000',
      CALLS_AT_ONCE_PER_ADDRESS: '256',
      CALLS_AT_ONCE_PER_PERSON: '256',
      MIGRATIONS_DIR: path.join(SERVER, '../../drizzle/migrations'),
      WEB_DIR: WEB_DIST,
    },
  })

export type BareKind = 'raw' | 'flat'

export const startBare = (kind: BareKind, databaseUrl: string): Promise<Program> =>
  start({ name: `http-${kind}`, file: BARE, args: [kind], env: { DATABASE_URL: databaseUrl } })
