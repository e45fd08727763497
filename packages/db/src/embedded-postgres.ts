import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import {
  completeInstall,
  giveTo,
  nativeFolder,
  programOf,
  reachableBinaries,
  reachableFolder,
  serverEnvironment,
  unprivilegedAccount,
} from './embedded-postgres-files.ts'
import { boot, type Cluster, livesStill, processMark, runningServer, shutDown } from './embedded-postgres-process.ts'

const USER = 'app'
/** Milliseconds to wait for another process that is starting the same cluster. */
const TURN_PATIENCE = 90_000

export interface EmbeddedPostgres {
  url: string
  port: number
  /** The postmaster's process. */
  pid: number
  /** Whether it was already running: left by a killed process, or started by another live one. */
  adopted: boolean
  /** Stops the server, unless another live process owns it. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Holds the cluster and its password; created if missing. */
  dir: string
  database?: string
  /** Additional server settings, as `name=value`. */
  flags?: readonly string[]
  /** Set the previous port for a restart during which clients reconnect. */
  port?: number
  log?: (line: string) => void
}

function readText(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function takeLock(lock: string): boolean {
  // Linked rather than written in place, so that no process reads a partial identity.
  const draft = `${lock}.${process.pid}`
  fs.writeFileSync(draft, processMark(process.pid))
  try {
    fs.linkSync(draft, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const holder = readText(lock)
    if (holder !== null && !livesStill(holder)) fs.rmSync(lock, { force: true })
    return false
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** Allows one start at a time per folder: concurrent ones would both create the cluster. */
async function inTurn<T>(folder: string, start: () => Promise<T>): Promise<T> {
  const lock = path.join(folder, 'starting.pid')
  const end = Date.now() + TURN_PATIENCE
  while (!takeLock(lock)) {
    if (Date.now() > end) throw new Error(`Another process is still starting PostgreSQL in ${folder}`)
    await sleep(50)
  }
  try {
    return await start()
  } finally {
    fs.rmSync(lock, { force: true })
  }
}

/** Our files in a folder before its cluster is created. */
const BEFORE_CLUSTER = /^(starting\.pid(\.\d+)?|owner\.pid|server\.log|kept-at|belongs-to)$/

/** Throws for a folder with foreign files, such as another cluster: creating ours would delete them. */
function refuseForeign(folder: string): void {
  if (!fs.existsSync(folder)) return
  const names = fs.readdirSync(folder)
  // Our cluster: the password is written first.
  if (names.includes('password') || names.includes('initialised')) return
  const foreign = names.find((name) => !BEFORE_CLUSTER.test(name))
  if (foreign !== undefined)
    throw new Error(`${folder} holds files of something else, such as ${foreign}: move them, or choose another folder`)
}

/** Creates a missing cluster, or one whose creation was interrupted. Returns the password. */
function initialise({ native, data, account }: Cluster, folder: string): string {
  const secretFile = path.join(folder, 'password')
  const done = path.join(folder, 'initialised')
  if (!fs.existsSync(done)) {
    fs.rmSync(data, { recursive: true, force: true })
    fs.rmSync(secretFile, { force: true })
    fs.writeFileSync(secretFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
    giveTo(account, secretFile)
    // Case mapping beyond ASCII without a locale of the system.
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8']
    const initdb = spawnSync(
      programOf(native, 'initdb'),
      [
        '-D',
        data,
        '-U',
        USER,
        `--pwfile=${secretFile}`,
        '--auth=scram-sha-256',
        ...locale,
        '--no-instructions',
        '--no-sync',
      ],
      { ...account, cwd: '/', env: serverEnvironment(), encoding: 'utf8' },
    )
    if (initdb.status !== 0)
      throw new Error(`initdb failed (${initdb.error?.message ?? initdb.status ?? initdb.signal}): ${initdb.stderr}`)
    fs.writeFileSync(done, '')
  }
  return fs.readFileSync(secretFile, 'utf8').trim()
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

/** Claims the server unless the live process that started it will stop it. Returns whether this process owns it. */
function takeOver(ownerFile: string, adopted: boolean): boolean {
  const ours = processMark(process.pid)
  const owner = (adopted && readText(ownerFile)) || ''
  if (owner !== ours && livesStill(owner)) return false
  fs.writeFileSync(ownerFile, ours)
  return true
}

/**
 * Starts a real PostgreSQL from npm's binaries on a free loopback port with a generated password. Adopts a server left by a killed
 * process, and uses one started by another live process without owning it.
 * @throws if the platform has no binaries or the server does not start; nothing is left running then
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { database = 'app', flags = [], log = () => {} } = options
  const account = unprivilegedAccount()
  const installed = nativeFolder()
  completeInstall(installed)
  refuseForeign(path.resolve(options.dir))
  const folder = reachableFolder(path.resolve(options.dir), account)
  const cluster: Cluster = {
    native: reachableBinaries(installed, account),
    data: path.join(folder, 'data'),
    logFile: path.join(folder, 'server.log'),
    account,
    flags,
    log,
    port: options.port,
  }
  refuseForeign(folder)
  return inTurn(folder, async () => {
    const password = initialise(cluster, folder)
    const running = await runningServer(cluster.data)
    if (running) log(`PostgreSQL ${running.pid} runs already on ${folder}`)
    const { pid, port } = running ?? (await boot(cluster))
    const isOurs = takeOver(path.join(folder, 'owner.pid'), running !== null)
    const urlOf = (name: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${name}`
    const stop = () => (isOurs ? shutDown(pid) : Promise.resolve())
    try {
      await ensureDatabase(urlOf('postgres'), database)
    } catch (error) {
      await stop()
      throw error
    }
    let stopping: Promise<void> | undefined
    return { url: urlOf(database), port, pid, adopted: running !== null, stop: () => (stopping ??= stop()) }
  })
}
