import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { freePort } from './server.ts'

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
      ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((name) => existsSync(`${ROOT}/${version}/bin/${name}`)),
    )
    .toSorted((a, b) => b - a)
  return newest === undefined ? null : { version: newest, folder: `${ROOT}/${newest}/bin` }
}

export interface SystemPostgres {
  /** Of an empty database. */
  url: string
  remove(): Promise<void>
}

/** A new cluster with these programs, on a port of its own. */
export async function startSystemPostgres(programs: string): Promise<SystemPostgres> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-cluster-'))
  if (account.uid !== undefined) await chown(dir, account.uid, account.gid)
  const data = path.join(dir, 'data')
  await run(`${programs}/initdb`, ['-D', data, '-U', 'app', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'], {
    ...account,
    cwd: '/',
  })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_wal_size=4GB']
  const child = spawn(
    `${programs}/postgres`,
    ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])],
    {
      ...account,
      cwd: '/',
      stdio: 'ignore',
    },
  )
  const sql = postgres(`postgres://app@127.0.0.1:${port}/postgres`, { max: 1, onnotice: () => {} })
  for (const end = performance.now() + 30_000; ; await sleep(50)) {
    const isUp = await sql`select 1`.catch(() => null)
    if (isUp) break
    if (performance.now() > end) throw new Error('the cluster does not start')
  }
  await sql`create database community`
  await sql.end()
  return {
    url: `postgres://app@127.0.0.1:${port}/community`,
    async remove() {
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
      await rm(dir, { recursive: true, force: true })
    },
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
