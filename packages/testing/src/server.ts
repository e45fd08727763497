import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { PASSWORD } from './valid-inputs.ts'
import { until } from './waiting.ts'
import {
  EMPTY_SETTINGS,
  freePort,
  type LaunchOptions,
  type ServerProcess,
  type Settings,
  spawnServer,
} from './server-process.ts'

export * from './server-process.ts'

/** The first administrator of every server started here. */
export const ADMIN = { email: 'boss@example.ma', password: PASSWORD, name: 'Lalla Admin' }
const ADMIN_SETTINGS: Settings = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, ADMIN_NAME: ADMIN.name }
/** Limits that tests never reach, although all requests come quickly from one IP address. */
export const NO_LIMITS: Settings = {
  READ_UNITS_PER_IP: '100000000',
  READ_UNITS_PER_USER: '100000000',
  CONCURRENT_REQUESTS_PER_IP: '256',
  CONCURRENT_REQUESTS_PER_USER: '256',
}
/** A secret that is accepted in production. */
export const APP_SECRET = 'v7PqkX2mNfLr9TzYbW4cHsDg1JxEa5Ru'

/** A server on one port, across restarts. */
export interface Server {
  port: number
  pid(): number
  output(): string
  isAlive(): boolean
  /** Whether it exited without `end`. */
  hasCrashed(): boolean
  /** Sends a signal and resolves with the exit code; null if a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Starts it and does not wait for it. */
  launch(): void
  /** Starts it; resolves with the milliseconds until it is ready. */
  start(): Promise<number>
  /** Resolves once the readiness check answers 200; throws after `timeout` milliseconds. */
  waitUntilReady(timeout?: number): Promise<void>
}

/** The status of the readiness check; 0 without a response. */
export async function fetchReadiness(port: number): Promise<number> {
  const signal = AbortSignal.timeout(5000)
  const response = await fetch(`http://127.0.0.1:${port}/api/health`, { signal }).catch(() => null)
  await response?.body?.cancel()
  return response?.status ?? 0
}

/** Creates a server without starting it. */
export async function prepareServer(settings: Settings, options: LaunchOptions = {}): Promise<Server> {
  const port = Number(settings.PORT ?? (await freePort()))
  const processes: ServerProcess[] = []
  let isStopped = true
  const child = () => processes.at(-1)?.child
  const server: Server = {
    port,
    pid: () => child()?.pid ?? 0,
    output: () => processes.map(({ output }) => output.out + output.err).join(''),
    isAlive: () => child()?.exitCode === null && child()?.signalCode === null,
    hasCrashed: () => !isStopped && !server.isAlive(),
    async end(signal) {
      const current = child()
      isStopped ||= server.isAlive()
      if (!current || !server.isAlive()) return current?.exitCode ?? null
      const exited = once(current, 'exit')
      current.kill(signal)
      await exited
      return current.exitCode
    },
    launch() {
      isStopped = false
      processes.push(spawnServer({ ...settings, PORT: String(port) }, options))
    },
    async start() {
      const startedAt = performance.now()
      server.launch()
      await server.waitUntilReady(60_000)
      return performance.now() - startedAt
    },
    async waitUntilReady(timeout = 30_000) {
      const isReady = async () => {
        if (!server.isAlive()) throw new Error('the server ended')
        return (await fetchReadiness(port)) === 200
      }
      await until('the server is ready', isReady, timeout).catch((error: Error) => {
        throw new Error(`${error.message}\n${server.output()}`)
      })
    },
  }
  return server
}

/** Starts the built server, or another main program, with these settings and waits until it is ready. */
export async function startServer(settings: Settings, main?: string): Promise<Server> {
  const server = await prepareServer({ ...ADMIN_SETTINGS, ...settings }, { main })
  await server.start()
  return server
}

/** A server with the embedded services in a temporary folder. */
export interface RunningServer {
  url: string
  inboxUrl: string
  /** Resolves with the exit code. */
  stop(): Promise<number | null>
}

export async function startStandaloneServer(settings: Settings = {}, args: string[] = []): Promise<RunningServer> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-server-'))
  // If root runs the tests, PostgreSQL's account must be able to enter it.
  await chmod(dir, 0o755)
  const env = { ...(process.env as Settings), ...EMPTY_SETTINGS, DATA_DIR: dir, ...ADMIN_SETTINGS, ...settings }
  const server = await prepareServer({ ...env, PORT: String(await freePort()) }, { args })
  const stop = async () => {
    const code = await server.end('SIGTERM')
    await rm(dir, { recursive: true, force: true })
    return code
  }
  server.launch()
  const isReadyOrEnded = () => server.output().includes('Ready after') || !server.isAlive()
  await until('the server is ready', isReadyOrEnded, 120_000).catch(() => {})
  if (!server.output().includes('Ready after')) {
    await stop()
    throw new Error(`the server was not ready: ${server.output()}`)
  }
  const [, inboxUrl = ''] = /^ {2}Mail inbox: +(\S+)/m.exec(server.output()) ?? []
  return { url: `http://localhost:${server.port}`, inboxUrl, stop }
}
