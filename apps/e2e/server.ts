import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const ADMIN = { email: 'boss@example.ma', password: 'Majorelle-2026', name: 'Lalla Admin' }

export interface RunningServer {
  url: string
  inboxUrl: string
  pid: number
  /** Resolves with the exit code. */
  stop(): Promise<number | null>
}

const MAIN = fileURLToPath(new URL('../server/dist/main.js', import.meta.url))

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const EXAMPLE = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
/** Every setting of ours, unset: whoever runs the tests may have their own database and bucket among them, or in a `.env`. */
export const UNSET: Record<string, string> = Object.fromEntries(
  [...EXAMPLE.matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name = '']) => [name, '']),
)

/** Starts the built server as a user would get it, on embedded defaults in a folder of its own. */
export async function startServer(settings: Record<string, string> = {}, args: string[] = []): Promise<RunningServer> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-e2e-'))
  // Open to PostgreSQL's account, where root runs the tests.
  await chmod(dir, 0o755)
  const port = await freePort()
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN, ...args], {
    env: {
      ...process.env,
      ...UNSET,
      DATA_DIR: dir,
      PORT: String(port),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ADMIN_NAME: ADMIN.name,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    const code = await exited
    await rm(dir, { recursive: true, force: true })
    return code
  }
  const found = new Map<string, string>()
  for await (const line of createInterface({ input: child.stdout })) {
    const [, what, where] = /^ {2}([\w ]+): +(\S+)/.exec(line) ?? []
    if (what && where) found.set(what, where)
    if (line.includes('Ready after')) {
      child.stdout.resume()
      return { url: `http://localhost:${port}`, inboxUrl: found.get('Mail inbox') ?? '', pid: child.pid ?? 0, stop }
    }
  }
  throw new Error(`The server ended before it was ready (${await exited})`)
}
