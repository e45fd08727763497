import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort, NO_LIMITS } from '@community/testing/server'
import { build } from 'esbuild'

const SERVER = fileURLToPath(new URL('..', import.meta.url))
/** The web app's package. */
export const WEB = path.join(SERVER, '../web')
/** Beside the packages that the bundles leave outside. */
const OUT = path.join(SERVER, 'node_modules/.cache/bench')
const BUNDLES = { 'as shipped': path.join(OUT, 'product'), 'not cached': path.join(OUT, 'product-not-cached') }
/** A copy of the built web app: a build beside the run does not pull it away. */
export const WEB_DIST = path.join(OUT, 'web')
const BARE = path.join(OUT, 'bare-server.mjs')

/** A bundle with one step changed: what that step costs. */
function changeStep(from: string, to: string, step: string, instead: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
  const files = readdirSync(to).map((name) => path.join(to, name))
  const found = files.filter((file) => file.endsWith('.js') && readFileSync(file, 'utf8').includes(step))
  if (found.length !== 1) throw new Error(`${step} was found in ${found.length} files of the bundle, not in one`)
  for (const file of found) writeFileSync(file, readFileSync(file, 'utf8').replace(step, instead))
}

/** Builds the product as it ships, its variant, and the bare programs: bundles all, so that starts compare. The web app was built before. */
export async function buildPrograms(): Promise<void> {
  rmSync(WEB_DIST, { recursive: true, force: true })
  cpSync(path.join(WEB, 'dist'), WEB_DIST, { recursive: true })
  execFileSync(process.execPath, ['build.mjs', BUNDLES['as shipped']], { cwd: SERVER })
  changeStep(BUNDLES['as shipped'], BUNDLES['not cached'], 'key===void 0?create():cache(key,create)', 'create()')
  await build({
    entryPoints: [path.join(SERVER, 'bench/bare-server.ts')],
    outfile: BARE,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  })
}

export interface Program {
  name: string
  port: number
  pid: number
  stop(): Promise<void>
}

/** Waits for the first success; asks again every two milliseconds. */
async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (; child.exitCode === null; await sleep(2)) {
    const answer = await fetch(url).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) return
  }
  throw new Error(`a program ended with ${child.exitCode} before it answered`)
}

interface Start {
  name: string
  file: string
  args?: string[]
  env: Record<string, string>
}

async function start({ name, file, args = [], env }: Start): Promise<Program> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = fork(file, args, {
    cwd: SERVER,
    // As `npm start` runs the product: not with the loader that runs this file.
    execArgv: ['--enable-source-maps'],
    env: { PATH: process.env.PATH, PORT: String(port), APP_URL: url, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  await untilReady(child, `${url}/api/teams/leaderboard?limit=100`)
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
  bundle?: keyof typeof BUNDLES
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
      ...NO_LIMITS,
      MIGRATIONS_DIR: path.join(SERVER, '../../drizzle/migrations'),
      WEB_DIR: WEB_DIST,
    },
  })

export const startBare = (kind: 'raw' | 'flat', databaseUrl: string): Promise<Program> =>
  start({ name: `http-${kind}`, file: BARE, args: [kind], env: { DATABASE_URL: databaseUrl } })
