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
  /** It was running already: left by a killed process, or started by another live one. */
  adopted: boolean
  /** Stops the server, unless another live process owns it. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Keeps the cluster and its password; made when missing. */
  dir: string
  database?: string
  /** More settings for the server, as `name=value`. */
  flags?: readonly string[]
  /** Where it listens: the port of before, for a restart that its clients are to survive. */
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
  // Linked and not written in place: nobody ever reads half a mark.
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

/** One start at a time per folder: two at once would both make the cluster. */
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

/** What stands in a folder of ours before its cluster is made. */
const BEFORE_CLUSTER = /^(starting\.pid(\.\d+)?|owner\.pid|server\.log|kept-at|belongs-to)$/

/** Making a cluster empties its place: a folder that holds somebody else's files, perhaps another PostgreSQL's, is refused. */
function refuseForeign(folder: string): void {
  if (!fs.existsSync(folder)) return
  const names = fs.readdirSync(folder)
  // Its password is written first.
  if (names.includes('password') || names.includes('initialised')) return
  const foreign = names.find((name) => !BEFORE_CLUSTER.test(name))
  if (foreign !== undefined)
    throw new Error(`${folder} holds files of something else, such as ${foreign}: move them, or choose another folder`)
}

/** Makes the cluster when there is none; one whose making was interrupted is made anew. Answers the password. */
function initialise({ native, data, account }: Cluster, folder: string): string {
  const secretFile = path.join(folder, 'password')
  const done = path.join(folder, 'initialised')
  if (!fs.existsSync(done)) {
    fs.rmSync(data, { recursive: true, force: true })
    fs.rmSync(secretFile, { force: true })
    fs.writeFileSync(secretFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
    giveTo(account, secretFile)
    // No locale of the system is needed, and letters beyond ASCII still fold.
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

/** Takes the server over, unless the live process that started it will stop it. Answers whether it is ours now. */
function takeOver(ownerFile: string, adopted: boolean): boolean {
  const ours = processMark(process.pid)
  const owner = (adopted && readText(ownerFile)) || ''
  if (owner !== ours && livesStill(owner)) return false
  fs.writeFileSync(ownerFile, ours)
  return true
}

/**
 * Starts a real PostgreSQL from the binaries that npm ships, on a free loopback port with a password of its own. A server
 * that an earlier, killed process left behind is adopted; one that another live process started is borrowed.
 * @throws where the platform has no binaries, or the server does not come up; nothing is left running then
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
