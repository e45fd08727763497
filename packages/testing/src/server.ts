import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The built server. */
export const MAIN = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** A process of the built server. */
export interface Server {
  port: number
  pid(): number
  /** Everything it has said, over all its lives. */
  said(): string
  isAlive(): boolean
  /** Sends a signal and resolves with the exit code, null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Starts it again on its port, and waits for nothing. */
  launch(): void
  /** Starts it again on its port; resolves with the milliseconds until it is ready. */
  start(): Promise<number>
  /** Resolves once the readiness call answers 200; throws after `patience` milliseconds. */
  untilReady(patience?: number): Promise<void>
}

/** Settings of a server process; those of this process are not passed on. */
export type Settings = Record<string, string>

export async function readiness(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(5000) }).catch(
    () => null,
  )
  await answer?.body?.cancel()
  return answer?.status ?? 0
}

/** A server with these settings that is not started yet. */
export async function serverWith(settings: Settings): Promise<Server> {
  const port = Number(settings.PORT ?? (await freePort()))
  let child: ChildProcess | undefined
  let said = ''
  const server: Server = {
    port,
    pid: () => child?.pid ?? 0,
    said: () => said,
    isAlive: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    async end(signal) {
      if (!child || !server.isAlive()) return child?.exitCode ?? null
      const closed = once(child, 'exit')
      child.kill(signal)
      await closed
      return child.exitCode
    },
    launch() {
      child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
        env: { PATH: process.env.PATH, ...settings, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)))
    },
    async start() {
      const began = performance.now()
      server.launch()
      await server.untilReady(60_000)
      return performance.now() - began
    },
    async untilReady(patience = 30_000) {
      for (const end = performance.now() + patience; performance.now() < end; await sleep(10)) {
        if (!server.isAlive()) throw new Error(`the server ended: ${said}`)
        if ((await readiness(port)) === 200) return
      }
      throw new Error(`the server was not ready within ${patience} ms: ${said}`)
    },
  }
  return server
}

/** Starts the built server with these settings and waits until it is ready. */
export async function startServer(settings: Settings): Promise<Server> {
  const server = await serverWith(settings)
  await server.start()
  return server
}
