import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import {
  finishInstall,
  changeOwner,
  findNativeFolder,
  programPath,
  findReachableBinaries,
  findReachableFolder,
  serverEnvironment,
  findUnprivilegedAccount,
} from './embedded-postgres-files.ts'
import {
  startServer,
  type Cluster,
  isStillRunning,
  identifyProcess,
  findRunningServer,
  stopServer,
} from './embedded-postgres-process.ts'

const USER = 'app'
/** Milliseconds to wait for another process that is starting the same cluster. */
const START_LOCK_TIMEOUT_MS = 90_000

export interface EmbeddedPostgres {
  url: string
  port: number
  /** The postmaster's process. */
  pid: number
  /** Whether it was already running: left by a killed process, or started by another live one. */
  isAdopted: boolean
  /** Stops the server, unless another live process owns it. */
  stop(): Promise<void>
}

interface EmbeddedOptions {
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

function tryLock(lock: string): boolean {
  // Linked rather than written in place, so that no process reads a partial identity.
  const draft = `${lock}.${process.pid}`
  fs.writeFileSync(draft, identifyProcess(process.pid))
  try {
    fs.linkSync(draft, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const holder = readText(lock)
    if (holder !== null && !isStillRunning(holder)) fs.rmSync(lock, { force: true })
    return false
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** Allows one start at a time per folder: concurrent ones would both create the cluster. */
async function withStartLock<T>(folder: string, start: () => Promise<T>): Promise<T> {
  const lock = path.join(folder, 'starting.pid')
  const end = Date.now() + START_LOCK_TIMEOUT_MS
  while (!tryLock(lock)) {
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
const OWN_FILES = /^(starting\.pid(\.\d+)?|owner\.pid|server\.log|kept-at|belongs-to)$/

/** Throws for a folder with foreign files, such as another cluster: creating ours would delete them. */
function assertNoForeignFiles(folder: string): void {
  if (!fs.existsSync(folder)) return
  const names = fs.readdirSync(folder)
  // Our cluster: the password is written first.
  if (names.includes('password') || names.includes('initialised')) return
  const foreign = names.find((name) => !OWN_FILES.test(name))
  if (foreign !== undefined)
    throw new Error(`${folder} has foreign files, such as ${foreign}: move them, or choose another folder`)
}

/** Creates a missing cluster, or one whose creation was interrupted. Returns the password. */
function initialiseCluster({ native, data, account }: Cluster, folder: string): string {
  const secretFile = path.join(folder, 'password')
  const marker = path.join(folder, 'initialised')
  if (!fs.existsSync(marker)) {
    fs.rmSync(data, { recursive: true, force: true })
    fs.rmSync(secretFile, { force: true })
    fs.writeFileSync(secretFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
    changeOwner(account, secretFile)
    // Case mapping beyond ASCII without a locale of the system.
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8']
    const initdb = spawnSync(
      programPath(native, 'initdb'),
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
    fs.writeFileSync(marker, '')
  }
  return fs.readFileSync(secretFile, 'utf8').trim()
}

async function ensureDatabase(url: string, database: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const rows = await sql`select 1 from pg_database where datname = ${database}`
    if (rows.length === 0) await sql`create database ${sql(database)}`
  } finally {
    await sql.end()
  }
}

/** Claims the server unless the live process that started it will stop it. Returns whether this process owns it. */
function claimServer(ownerFile: string, isAdopted: boolean): boolean {
  const ownIdentity = identifyProcess(process.pid)
  const owner = (isAdopted && readText(ownerFile)) || ''
  if (owner !== ownIdentity && isStillRunning(owner)) return false
  fs.writeFileSync(ownerFile, ownIdentity)
  return true
}

/**
 * Starts a real PostgreSQL from npm's binaries on a free loopback port with a generated password. Adopts a server left by a killed
 * process, and uses one started by another live process without owning it.
 * @throws if the platform has no binaries or the server does not start; nothing is left running then
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { database = 'app', flags = [], log = () => {} } = options
  const account = findUnprivilegedAccount()
  const installed = findNativeFolder()
  finishInstall(installed)
  assertNoForeignFiles(path.resolve(options.dir))
  const folder = findReachableFolder(path.resolve(options.dir), account)
  const cluster: Cluster = {
    native: findReachableBinaries(installed, account),
    data: path.join(folder, 'data'),
    logFile: path.join(folder, 'server.log'),
    account,
    flags,
    log,
    port: options.port,
  }
  assertNoForeignFiles(folder)
  return withStartLock(folder, async () => {
    const password = initialiseCluster(cluster, folder)
    const running = await findRunningServer(cluster.data)
    if (running) log(`PostgreSQL ${running.pid} is already running on ${folder}`)
    const { pid, port } = running ?? (await startServer(cluster))
    const isOurs = claimServer(path.join(folder, 'owner.pid'), running !== null)
    const urlOf = (name: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${name}`
    const stop = () => (isOurs ? stopServer(pid) : Promise.resolve())
    try {
      await ensureDatabase(urlOf('postgres'), database)
    } catch (error) {
      await stop()
      throw error
    }
    let stopping: Promise<void> | undefined
    return { url: urlOf(database), port, pid, isAdopted: running !== null, stop: () => (stopping ??= stop()) }
  })
}
