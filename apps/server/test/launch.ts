import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

/** For tests that read the settings of production. */
export const APP_SECRET = 'v7PqkX2mNfLr9TzYbW4cHsDg1JxEa5Ru'

const SERVER = fileURLToPath(new URL('..', import.meta.url))

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}

export interface Launched {
  child: ChildProcess
  /** All it has said so far. */
  said: { out: string; err: string }
  /** Resolves with its exit code, and how many milliseconds it ran. */
  ended: Promise<{ code: number | null; took: number }>
}

/** Beside the packages that the bundle leaves outside; each of the workers that run at once has its own. */
const OUT = `node_modules/.cache/launched/${process.env.VITEST_POOL_ID ?? 'alone'}`
let isBuilt = false

/** Builds what `launch` starts: from its source each start would take seconds. */
export function buildServer(): void {
  if (!isBuilt) execFileSync(process.execPath, ['build.mjs', OUT], { cwd: SERVER })
  isBuilt = true
}

const PARTS = { MIGRATIONS_DIR: '../../drizzle/migrations', WEB_DIR: '../web/dist' }

/** Starts the built server with these settings and no others of ours. */
export async function launch(settings: Record<string, string>, account: { uid?: number } = {}): Promise<Launched> {
  const began = Date.now()
  const child = spawn(process.execPath, ['--enable-source-maps', `${OUT}/main.js`], {
    cwd: SERVER,
    env: { PATH: process.env.PATH, ...PARTS, NODE_ENV: 'test', PORT: String(await freePort()), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(account.uid !== undefined && { uid: account.uid, gid: account.uid }),
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (said.out += String(chunk)))
  child.stderr.on('data', (chunk) => (said.err += String(chunk)))
  // Closed: it has ended, and nobody that it started holds its outputs.
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, took: Date.now() - began }))
  return { child, said, ended }
}

/** Processes that were started for something under a folder. */
export function processesNaming(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`]
      } catch {
        // It ended just now.
        return []
      }
    })
    .filter((line) => line.includes(folder))
}
