import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { until } from '@community/testing'
import { freePort } from '@community/testing/server'
import postgres from 'postgres'

const ROOT = '/usr/lib/postgresql'
const PROGRAMS = ['initdb', 'postgres', 'pg_basebackup', 'pg_dump', 'pg_restore']
/** The user id of `nobody`, because PostgreSQL does not run as root. */
const NOBODY = 65_534
const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

export const run = promisify(execFile)

/** The folder with the programs of the system's newest PostgreSQL; the npm package has no `pg_dump`. */
export async function findPrograms(): Promise<string> {
  const versions = (await readdir(ROOT).catch(() => [])).map(Number).toSorted((a, b) => b - a)
  const folderOf = (version: number) => `${ROOT}/${version}/bin`
  const version = versions.find((candidate) => PROGRAMS.every((name) => existsSync(`${folderOf(candidate)}/${name}`)))
  if (version === undefined) throw new Error('PostgreSQL’s own programs are not installed: nothing was tried')
  return folderOf(version)
}

export async function createFolder(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-cluster-'))
  if (account.uid !== undefined) await chown(dir, account.uid, account.gid)
  return dir
}

/** Starts the cluster in a folder; resolves once it accepts writes. */
async function serve(programs: string, dir: string, settings: string[]) {
  const port = await freePort()
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_wal_size=4GB', ...settings]
  const args = ['-D', path.join(dir, 'data'), '-p', String(port), ...all.flatMap((item) => ['-c', item])]
  const log = openSync(path.join(dir, 'server.log'), 'w')
  const child = spawn(`${programs}/postgres`, args, { ...account, cwd: '/', stdio: ['ignore', log, log] })
  const ended = once(child, 'exit')
  const sql = postgres(`postgres://app@127.0.0.1:${port}/postgres`, { max: 1, onnotice: () => {} })
  const takesWrites = async () => {
    if (child.exitCode !== null) throw new Error(`the cluster does not start: see ${dir}/server.log`)
    const [row] = await sql`select pg_is_in_recovery() as "isRecovering"`.catch(() => [])
    return row?.isRecovering === false
  }
  await until('the cluster takes writes', takesWrites, 600_000)
  await sql.end()
  return {
    url: `postgres://app@127.0.0.1:${port}/community`,
    /** Kills the processes and deletes the files, like the loss of its machine. */
    async remove() {
      child.kill('SIGQUIT')
      await ended
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Creates a cluster with these programs, on a free port. */
export async function startSystemPostgres(programs: string, settings: string[] = []) {
  const dir = await createFolder()
  const kind = ['-U', 'app', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
  await run(`${programs}/initdb`, ['-D', path.join(dir, 'data'), ...kind], { ...account, cwd: '/' })
  const cluster = await serve(programs, dir, settings)
  const sql = postgres(cluster.url.replace(/community$/, 'postgres'), { max: 1 })
  await sql`create database community`
  await sql.end()
  return cluster
}

/** A cluster's WAL archive and base backup; in production on another machine. */
export async function openArchive(programs: string) {
  const [copies, log] = [await createFolder(), await createFolder()]
  const files = path.join(copies, 'files')
  return {
    /** Settings that archive each WAL segment within `seconds`. */
    settings: (seconds: number) => [
      'archive_mode=on',
      `archive_timeout=${seconds}s`,
      `archive_command=test ! -f ${log}/%f && cp %p ${log}/%f`,
    ],
    /** Takes a base backup of a running cluster. */
    copy: (url: string) =>
      run(`${programs}/pg_basebackup`, ['-d', url, '-D', files, '--checkpoint=fast'], { ...account, cwd: '/' }),
    /** Starts a cluster from the backup and the archive: up to a time, or to the archive's end. */
    async restore(time?: Date) {
      const dir = await createFolder()
      const data = path.join(dir, 'data')
      await run('cp', ['-a', files, data])
      await writeFile(path.join(data, 'recovery.signal'), '')
      // PostgreSQL accepts no `Z` as the time zone here.
      const target = time
        ? [`recovery_target_time=${time.toISOString().replace('Z', '+00')}`, 'recovery_target_action=promote']
        : []
      return serve(programs, dir, [`restore_command=cp ${log}/%f %p`, ...target])
    },
    remove: () => Promise.all([copies, log].map((folder) => rm(folder, { recursive: true, force: true }))),
  }
}
