import { execFile } from 'node:child_process'
import { appendFile, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '@community/db/embedded'
import { until } from '../waiting.ts'

const run = promisify(execFile)

/** `fast` ends sessions cleanly, `immediate` requires recovery, `killed` leaves orphaned backends. */
type RestartMode = 'fast' | 'immediate' | 'killed'
const SIGNAL = { fast: 'SIGINT', immediate: 'SIGQUIT', killed: 'SIGKILL' } as const

/** A PostgreSQL cluster in a temporary folder that a test can stop, kill and freeze. */
export interface FaultyPostgres {
  /** The same after restarts. */
  url: string
  port: number
  stop(mode?: RestartMode): Promise<void>
  start(): Promise<void>
  restart(mode: RestartMode): Promise<void>
  /** Suspends all its processes, like a machine that hangs. Resolves with a function that resumes them. */
  freeze(): Promise<() => void>
  /** Terminates up to `limit` backends of the product that are inside a transaction. Resolves with their number. */
  terminateBackends(limit: number): Promise<number>
  /** Stops the server and deletes its folder. */
  remove(): Promise<void>
}

function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // Already ended.
    }
}

function hasExited(pid: number): boolean {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}

async function terminateBackends(url: string, limit: number): Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'community' and xact_start is not null and pid <> pg_backend_pid() limit ${limit}`
    return ended.length
  } finally {
    await sql.end()
  }
}

/** Copies a running cluster into `dir` as its standby, over SQL: npm's binaries lack `pg_basebackup`. */
async function copyAsStandby(url: string, dir: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    const [source] = await sql<{ data: string }[]>`select current_setting('data_directory') as data`
    const data = path.join(dir, 'data')
    await sql`select pg_backup_start('standby', true)`
    await run('cp', [
      '-a',
      ...['password', 'initialised', 'data'].map((name) => path.join(source!.data, '..', name)),
      dir,
    ])
    const [backup] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`
    await rm(path.join(data, 'postmaster.pid'))
    // PostgreSQL does not run as root.
    const { uid, gid } = await stat(data)
    for (const [name, content] of Object.entries({ backup_label: backup?.labelfile, 'standby.signal': '' })) {
      await writeFile(path.join(data, name), content ?? '')
      await chown(path.join(data, name), uid, gid)
    }
    const { port, username, password } = new URL(url)
    const primary = `host=127.0.0.1 port=${port} user=${username} password=${password}`
    await appendFile(path.join(data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
  } finally {
    await sql.end()
  }
}

/** Starts a cluster with fsync on, as in production; with `standbyOf`, a copy that follows that cluster. */
export async function startFaultyPostgres({ standbyOf }: { standbyOf?: FaultyPostgres } = {}): Promise<FaultyPostgres> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-faulty-'))
  if (standbyOf) await copyAsStandby(standbyOf.url, dir)
  const first = await startEmbeddedPostgres({ dir, database: 'faulty' })
  const { url, port } = first
  let { pid } = first
  const start = async () => {
    pid = (await startEmbeddedPostgres({ dir, database: 'faulty', port })).pid
  }
  const stop = async (mode: RestartMode = 'fast') => {
    process.kill(pid, SIGNAL[mode])
    await until(`process ${pid} ends`, () => hasExited(pid), 15_000)
  }
  return {
    url,
    port,
    start,
    stop,
    async restart(mode) {
      await stop(mode)
      await start()
    },
    async freeze() {
      // The postmaster first, which starts the others.
      process.kill(pid, 'SIGSTOP')
      const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean)
      const pids = [pid, ...children.map(Number)]
      signalAll(pids, 'SIGSTOP')
      return () => signalAll(pids, 'SIGCONT')
    },
    terminateBackends: (limit) => terminateBackends(url, limit),
    async remove() {
      await stop('immediate').catch(() => {}) // May already be stopped.
      await rm(dir, { recursive: true, force: true })
    },
  }
}
