import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { freePort } from '@community/testing/server'

const run = promisify(execFile)
const ROOT = '/usr/lib/postgresql'
/** PostgreSQL refuses to run as root: nobody's number. */
const NOBODY = 65_534
const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** The programs of the newest PostgreSQL that the system has, null where it has none: npm's has no `pg_dump`. */
export async function systemPrograms(): Promise<{ version: number; folder: string } | null> {
  const versions = await readdir(ROOT).catch(() => [])
  const [newest] = versions
    .map(Number)
    .filter((version) =>
      ['initdb', 'postgres', 'pg_basebackup', 'pg_dump', 'pg_restore'].every((name) =>
        existsSync(`${ROOT}/${version}/bin/${name}`),
      ),
    )
    .toSorted((a, b) => b - a)
  return newest === undefined ? null : { version: newest, folder: `${ROOT}/${newest}/bin` }
}

export interface SystemPostgres {
  /** Of an empty database. */
  url: string
  /** Ends all of it at once, as the loss of its machine would, and keeps nothing. */
  remove(): Promise<void>
}

async function newFolder(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-cluster-'))
  if (account.uid !== undefined) await chown(dir, account.uid, account.gid)
  return dir
}

/** Serves a cluster that lies in a folder; resolves once it takes writes. */
async function serve(programs: string, dir: string, settings: string[]): Promise<SystemPostgres> {
  const port = await freePort()
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_wal_size=4GB', ...settings]
  const args = ['-D', path.join(dir, 'data'), '-p', String(port), ...all.flatMap((one) => ['-c', one])]
  const child = spawn(`${programs}/postgres`, args, { ...account, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const sql = postgres(`postgres://app@127.0.0.1:${port}/postgres`, { max: 1, onnotice: () => {} })
  for (const end = performance.now() + 600_000; ; await sleep(50)) {
    const [row] = await sql<{ waits: boolean }[]>`select pg_is_in_recovery() as waits`.catch(() => [])
    if (row?.waits === false) break
    if (child.exitCode !== null || performance.now() > end) throw new Error(`the cluster does not start: ${said}`)
  }
  await sql.end()
  return {
    url: `postgres://app@127.0.0.1:${port}/community`,
    async remove() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGQUIT')
        await ended
      }
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A new cluster with these programs, on a port of its own. */
export async function startSystemPostgres(programs: string, settings: string[] = []): Promise<SystemPostgres> {
  const dir = await newFolder()
  const kind = ['-U', 'app', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
  await run(`${programs}/initdb`, ['-D', path.join(dir, 'data'), ...kind], { ...account, cwd: '/' })
  const cluster = await serve(programs, dir, settings)
  const sql = postgres(cluster.url.replace(/community$/, 'postgres'), { max: 1 })
  await sql`create database community`
  await sql.end()
  return cluster
}

/** Where a cluster keeps its log for good, and a copy of its files: on another machine, in earnest. */
export interface Archive {
  /** What has a cluster keep its log there, each piece of it after so many seconds at the latest. */
  settings(seconds: number): string[]
  /** Copies a cluster's files while it is used. */
  copy(url: string): Promise<void>
  /** Starts a cluster from the copy and the log: up to a time, or to the log's end. */
  restore(until?: Date): Promise<SystemPostgres>
  remove(): Promise<void>
}

export async function openArchive(programs: string): Promise<Archive> {
  const dir = await newFolder()
  const [files, log] = [path.join(dir, 'files'), path.join(dir, 'log')]
  await mkdir(log)
  if (account.uid !== undefined) await chown(log, account.uid, account.gid)
  return {
    settings: (seconds) => [
      'archive_mode=on',
      `archive_timeout=${seconds}s`,
      `archive_command=test ! -f ${log}/%f && cp %p ${log}/%f`,
    ],
    async copy(url) {
      await run(`${programs}/pg_basebackup`, ['-d', url, '-D', files, '--checkpoint=fast'], { ...account, cwd: '/' })
    },
    async restore(until) {
      const to = await newFolder()
      const data = path.join(to, 'data')
      await run('cp', ['-a', files, data])
      await writeFile(path.join(data, 'recovery.signal'), '')
      // It takes no letter for a zone.
      const time = until?.toISOString().replace('Z', '+00')
      const target = time ? [`recovery_target_time=${time}`, 'recovery_target_action=promote'] : []
      return serve(programs, to, [`restore_command=cp ${log}/%f %p`, ...target])
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

/** Writes everything of a database into a file, and that into an empty one; answers the seconds of each. */
export async function moveByDump(
  programs: string,
  from: string,
  to: string,
): Promise<{ dump: number; restore: number }> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-dump-'))
  const file = path.join(dir, 'community.dump')
  try {
    const began = performance.now()
    await run(`${programs}/pg_dump`, ['--format=custom', `--file=${file}`, from])
    const dumped = performance.now()
    await run(`${programs}/pg_restore`, ['--no-owner', '--exit-on-error', '--jobs=2', `--dbname=${to}`, file])
    const seconds = (milliseconds: number) => Math.round(milliseconds / 100) / 10
    return { dump: seconds(dumped - began), restore: seconds(performance.now() - dumped) }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
