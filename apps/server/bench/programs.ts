import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { encode, Line } from './driver.ts'

const SERVER = fileURLToPath(new URL('..', import.meta.url))
/** The web app's package. */
export const WEB = path.join(SERVER, '../web')
/** Beside the packages that the bundles leave outside. */
const OUT = path.join(SERVER, 'node_modules/.cache/bench')
const PRODUCT = path.join(OUT, 'product')
const WITHOUT_OUTPUT = path.join(OUT, 'product-without-output')
/** A copy of the built web app: a build beside the run does not pull it away. */
export const WEB_DIST = path.join(OUT, 'web')
const BARE = path.join(OUT, 'bare-server.mjs')

/** The product without the step that runs each answer through its schema: what that step costs. */
function leaveOutOutputSchemas(): void {
  rmSync(WITHOUT_OUTPUT, { recursive: true, force: true })
  cpSync(PRODUCT, WITHOUT_OUTPUT, { recursive: true })
  const step = 'confirmed.output(route.output)'
  const changed = readdirSync(WITHOUT_OUTPUT)
    .filter((name) => name.endsWith('.js'))
    .filter((name) => {
      const file = path.join(WITHOUT_OUTPUT, name)
      const text = readFileSync(file, 'utf8')
      if (!text.includes(step)) return false
      writeFileSync(file, text.replace(step, 'confirmed'))
      return true
    })
  if (changed.length !== 1) throw new Error(`${step} was found in ${changed.length} files of the bundle, not in one`)
}

/** Builds the product as it ships, its variant, and the bare programs: bundles all, so that starts compare. The web app was built before. */
export async function buildPrograms(): Promise<void> {
  rmSync(WEB_DIST, { recursive: true, force: true })
  cpSync(path.join(WEB, 'dist'), WEB_DIST, { recursive: true })
  execFileSync(process.execPath, ['build.mjs', PRODUCT], { cwd: SERVER })
  leaveOutOutputSchemas()
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
async function firstAnswer(child: ChildProcess, port: number, request: Buffer): Promise<void> {
  while (child.exitCode === null) {
    const line = new Line(port)
    const answer = await line.send(request).catch(() => null)
    line.close()
    if (answer && answer.status < 300) return
    await sleep(2)
  }
  throw new Error(`a program ended with ${child.exitCode} before it answered`)
}

interface Start {
  name: string
  file: string
  args?: string[]
  env: Record<string, string>
  /** The program counts as started when it answers this. */
  until: string
}

async function start({ name, file, args = [], env, until }: Start): Promise<Program> {
  const port = await freePort()
  const child = fork(file, args, {
    cwd: SERVER,
    // As `npm start` runs the product: not with the loader that runs this file.
    execArgv: ['--enable-source-maps'],
    env: { PATH: process.env.PATH, PORT: String(port), APP_URL: `http://127.0.0.1:${port}`, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  await firstAnswer(child, port, encode({ path: until }))
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

export interface ProductOptions {
  name: string
  databaseUrl: string
  dataDir: string
  withOutput?: boolean
}

/** The product as in production, with nothing embedded that it need not start. */
export const startProduct = ({ name, databaseUrl, dataDir, withOutput = true }: ProductOptions): Promise<Program> =>
  start({
    name,
    file: path.join(withOutput ? PRODUCT : WITHOUT_OUTPUT, 'main.js'),
    until: '/api/teams/leaderboard?limit=100',
    env: {
      NODE_ENV: 'production',
      EMBEDDED: '1',
      APP_SECRET: randomBytes(32).toString('base64'),
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      // Nobody listens there: no mail is sent, and no catcher of mails is started.
      SMTP_URL: 'smtp://127.0.0.1:9',
      LOG_LEVEL: 'fatal',
      TRUST_PROXY: 'loopback',
      MIGRATIONS_DIR: path.join(SERVER, '../../drizzle/migrations'),
      WEB_DIR: WEB_DIST,
    },
  })

export type BareKind = 'raw' | 'flat' | 'static'

export const startBare = (kind: BareKind, databaseUrl: string, productPort = 0): Promise<Program> =>
  start({
    name: `http-${kind}`,
    file: BARE,
    args: [kind],
    until: kind === 'static' ? '/ok' : '/api/teams/leaderboard?limit=100',
    env: { DATABASE_URL: databaseUrl, PRODUCT_PORT: String(productPort) },
  })
