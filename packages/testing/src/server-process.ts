import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { listenLocally } from './listening.ts'

/** Environment variables of a server process. */
export type Settings = Record<string, string>

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))
const SERVER = path.join(REPOSITORY, 'apps/server')
const MAIN = path.join(SERVER, 'dist/main.js')

/** Every setting, empty, so that the developer's environment and `.env` do not affect the server under test. */
export const EMPTY_SETTINGS: Settings = Object.fromEntries(
  [...readFileSync(path.join(REPOSITORY, '.env.example'), 'utf8').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name = '']) => [
    name,
    '',
  ]),
)

/** Below the ports that systems give to outgoing connections, one of which could take a port before its server listens. */
const PORTS = { min: 15_000, max: 32_000 }

/** A port on which nothing listens, drawn at random, so that concurrent tests rarely draw the same one. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listenLocally(probe, randomInt(PORTS.min, PORTS.max)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') return undefined
    throw error
  })
  if (port === undefined) return freePort()
  probe.close()
  await once(probe, 'close')
  return port
}

export interface LaunchOptions {
  main?: string | undefined
  args?: string[]
  /** The user id it runs as. */
  uid?: number | undefined
}

export interface ServerProcess {
  child: ChildProcess
  /** Its output so far. */
  output: { out: string; err: string }
  /** Resolves with the exit code (null after a signal) and the milliseconds it ran, once its output is closed. */
  exited: Promise<{ code: number | null; took: number }>
}

/** Spawns the server with these settings only and does not wait for it. */
export function spawnServer(settings: Settings, { main = MAIN, args = [], uid }: LaunchOptions = {}): ServerProcess {
  const startedAt = Date.now()
  const child = spawn(process.execPath, ['--enable-source-maps', main, ...args], {
    cwd: SERVER,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (output.out += String(chunk)))
  child.stderr.on('data', (chunk) => (output.err += String(chunk)))
  const exited = once(child, 'close').then(([code]) => ({ code: code as number | null, took: Date.now() - startedAt }))
  return { child, output: output, exited }
}

/** Inside the package, so that the bundle resolves its external dependencies; one per vitest worker. */
const BUNDLE = `node_modules/.cache/launched/${process.env.VITEST_POOL_ID ?? 'alone'}`
/** Paths of migrations and web app relative to the server's folder. */
export const BUNDLE_PATHS = { MIGRATIONS_DIR: '../../drizzle/migrations', WEB_DIR: '../web/dist' }
let isBuilt = false

/** Builds the bundle that `launch` starts. */
export function buildServer(): void {
  if (!isBuilt) execFileSync(process.execPath, ['build.mjs', BUNDLE], { cwd: SERVER })
  isBuilt = true
}

/** Starts the bundle of `buildServer`. */
export async function launch(
  settings: Settings,
  options: Pick<LaunchOptions, 'args' | 'uid'> = {},
): Promise<ServerProcess> {
  const all = { ...BUNDLE_PATHS, NODE_ENV: 'test', PORT: String(await freePort()), ...settings }
  return spawnServer(all, { ...options, main: `${BUNDLE}/main.js` })
}
