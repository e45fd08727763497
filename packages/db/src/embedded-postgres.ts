import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import {
  type Account,
  completeInstall,
  nativeFolder,
  programOf,
  reachableBinaries,
  reachableFolder,
  serverEnvironment,
  unprivilegedAccount,
} from './embedded-postgres-files.ts'

const USER = 'app'
const BOOT_TRIES = 5
const BOOT_PATIENCE = 60_000

export interface EmbeddedPostgres {
  url: string
  port: number
  /** The postmaster's process. */
  pid: number
  /** A server left running by a killed process was taken over. */
  adopted: boolean
  /** Stops the server, unless another live process owns it. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Keeps the cluster and its password; made when missing. */
  dir: string
  database?: string
  /** More settings for the server, as `-c name=value` pairs. */
  flags?: readonly string[]
  log?: (line: string) => void
}

interface Cluster {
  native: string
  folder: string
  data: string
  account: Account
  flags: readonly string[]
  log: (line: string) => void
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    // A zombie, in a container without an init, is dead.
    return !/^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

function isPostgres(pid: number): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')
  } catch {
    const { status, stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return status === 0 && stdout.includes('postgres')
  }
}

/** The server's own note of itself: process, port and, once it takes connections, `ready`. */
function pidFileOf(data: string): { pid: number; port: number; isReady: boolean } | null {
  try {
    const lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]), isReady: (lines[7] ?? '').trim() === 'ready' }
  } catch {
    return null
  }
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })

/** Makes the cluster when there is none; one whose making was interrupted is made anew. Answers the password. */
function initialise({ native, folder, data, account }: Cluster): string {
  const secretFile = path.join(folder, 'password')
  const done = path.join(folder, '.initialised')
  if (!fs.existsSync(path.join(data, 'PG_VERSION')) || !fs.existsSync(done)) {
    fs.rmSync(data, { recursive: true, force: true })
    fs.writeFileSync(secretFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
    if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(secretFile, account.uid, account.gid)
    const initdb = spawnSync(
      programOf(native, 'initdb'),
      [
        ...['-D', data, '-U', USER, `--pwfile=${secretFile}`, '--auth=scram-sha-256', '--encoding=UTF8'],
        // No locale of the system is needed, and letters beyond ASCII still fold.
        ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions', '--no-sync'],
      ],
      { ...account, cwd: '/', env: serverEnvironment(), encoding: 'utf8' },
    )
    if (initdb.status !== 0) throw new Error(`initdb failed (${initdb.status ?? initdb.signal}): ${initdb.stderr}`)
    fs.writeFileSync(done, '')
  }
  return fs.readFileSync(secretFile, 'utf8').trim()
}

function launch({ native, data, account, flags, log }: Cluster, port: number): ChildProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=100',
    'shared_buffers=64MB',
    'random_page_cost=1.1',
    'jit=off',
    'log_min_messages=warning',
    ...flags,
  ]
  const child = spawn(
    programOf(native, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    {
      ...account,
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      // Ctrl-C in a terminal reaches only us; we then stop the server in order.
      detached: true,
    },
  )
  child.stderr?.on('data', (chunk: Buffer) => log(String(chunk).trimEnd()))
  return child
}

/** Starts the server and waits until it says that it is ready. */
async function boot(cluster: Cluster): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const lines: string[] = []
    const child = launch({ ...cluster, log: (line) => (cluster.log(line), lines.push(line)) }, port)
    let hasExited = false
    child.once('exit', () => (hasExited = true))
    child.once('error', () => (hasExited = true))
    const end = Date.now() + BOOT_PATIENCE
    while (!hasExited && Date.now() < end) {
      const note = pidFileOf(cluster.data)
      if (note?.isReady && note.pid === child.pid) {
        child.unref()
        ;(child.stderr as unknown as { unref?: () => void } | null)?.unref?.()
        return port
      }
      await sleep(15)
    }
    if (!hasExited) child.kill('SIGQUIT')
    if (attempt >= BOOT_TRIES) throw new Error(`PostgreSQL did not start: ${lines.slice(-5).join('\n')}`)
    // Backends of a killed server may still hold its shared memory.
    await sleep(300 * attempt)
  }
}

/** The port of a server that already runs on this data: its starter was killed, or is another process of ours. */
function runningPort(data: string): number | null {
  const note = pidFileOf(data)
  if (!note?.pid || !isAlive(note.pid)) return null
  if (isPostgres(note.pid)) return note.port
  // Its number was given to another program since.
  fs.rmSync(path.join(data, 'postmaster.pid'), { force: true })
  return null
}

async function waitUntilReady(data: string): Promise<void> {
  const end = Date.now() + BOOT_PATIENCE
  while (!pidFileOf(data)?.isReady && Date.now() < end) await sleep(15)
}

/** True when another live process started this server and will stop it. */
function isBorrowed(folder: string, adopted: boolean): boolean {
  const file = path.join(folder, 'owner.pid')
  const owner = adopted && fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0
  if (owner > 0 && owner !== process.pid && isAlive(owner)) return true
  fs.writeFileSync(file, String(process.pid))
  return false
}

async function ensureDatabase(url: string, database: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const known = await sql`select 1 from pg_database where datname = ${database}`
    if (known.length === 0) await sql`create database ${sql(database)}`
  } finally {
    await sql.end()
  }
}

async function shutDown(pid: number): Promise<void> {
  if (!isAlive(pid)) return
  process.kill(pid, 'SIGINT')
  for (let turn = 0; turn < 500 && isAlive(pid); turn++) {
    await sleep(20)
    if (turn === 400) process.kill(pid, 'SIGQUIT')
  }
}

/**
 * Starts a real PostgreSQL from the binaries that npm ships, on a free loopback port with a password of its own. A server
 * that an earlier, killed process left behind is adopted; one that another live process started is borrowed.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { database = 'app', flags = [], log = () => {} } = options
  const account = unprivilegedAccount()
  const installed = nativeFolder()
  completeInstall(installed)
  const folder = reachableFolder(path.resolve(options.dir), account)
  const data = path.join(folder, 'data')
  const cluster: Cluster = { native: reachableBinaries(installed, account), folder, data, account, flags, log }

  const password = initialise(cluster)
  const running = runningPort(data)
  const adopted = running !== null
  if (adopted) await waitUntilReady(data)
  const port = running ?? (await boot(cluster))
  const pid = pidFileOf(data)?.pid ?? 0
  const borrowed = isBorrowed(folder, adopted)
  const urlOf = (name: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${name}`
  await ensureDatabase(urlOf('postgres'), database)

  let stopping: Promise<void> | undefined
  return {
    url: urlOf(database),
    port,
    pid,
    adopted,
    stop: () => (stopping ??= borrowed ? Promise.resolve() : shutDown(pid)),
  }
}
