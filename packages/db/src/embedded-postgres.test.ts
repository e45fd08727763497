import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import {
  findNativeFolder,
  findReachableBinaries,
  findReachableFolder,
  findUnprivilegedAccount,
} from './embedded-postgres-files.ts'
import { isStillRunning, identifyProcess, stopServer } from './embedded-postgres-process.ts'

/** The identity of a process that does not exist: its PID and start time. */
const DEAD_PROCESS = '999999999 1'
let dir: string
let started: EmbeddedPostgres[]
let folders: string[]

async function createTemporaryFolder(parent = os.tmpdir()): Promise<string> {
  const folder = await mkdtemp(path.join(parent, 'embedded postgres '))
  folders.push(folder)
  return folder
}

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dir })
  started.push(server)
  return server
}

async function queryOn<T>(server: EmbeddedPostgres, query: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(server.url, { max: 1, onnotice: () => {} })
  try {
    return await query(sql)
  } finally {
    await sql.end()
  }
}

// A zombie process does not count as running.
const isRunning = (pid: number) => isStillRunning(identifyProcess(pid))

beforeEach(async () => {
  started = []
  folders = []
  dir = await createTemporaryFolder()
})
afterEach(async () => {
  for (const server of started) await stopServer(server.pid, 'SIGQUIT')
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

describe('the embedded PostgreSQL', () => {
  test('keeps its rows and its password from one start to the next', async () => {
    const first = await start()
    await queryOn(first, (sql) => sql`create table note as select 'سلام' as text`)
    await first.stop()
    expect(isRunning(first.pid)).toBe(false)

    const second = await start()
    expect(second.isAdopted).toBe(false)
    expect(await queryOn(second, (sql) => sql`select text from note`)).toMatchObject([{ text: 'سلام' }])
    expect((await stat(path.join(dir, 'password'))).mode & 0o777).toBe(0o600)
    await second.stop()
  })

  test('requires the password and lower-cases non-ASCII letters', async () => {
    const server = await start()
    expect(await queryOn(server, (sql) => sql`select lower('ÉCOLE') as word`)).toMatchObject([{ word: 'école' }])
    const wrong = new URL(server.url)
    wrong.password = 'guessed'
    await expect(queryOn({ ...server, url: wrong.href }, (sql) => sql`select 1`)).rejects.toThrow('password')
  })

  test('adopts a server whose starter was killed, and stops it', async () => {
    const orphan = await start()
    await writeFile(path.join(dir, 'owner.pid'), DEAD_PROCESS)
    const adopted = await start()
    expect(adopted).toMatchObject({ isAdopted: true, pid: orphan.pid, url: orphan.url })
    await adopted.stop()
    expect(isRunning(orphan.pid)).toBe(false)
  })

  test('uses but does not stop a server that another process owns', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    try {
      await once(other, 'spawn')
      const owned = await start()
      await writeFile(path.join(dir, 'owner.pid'), identifyProcess(other.pid ?? 0))
      const borrowed = await start()
      await borrowed.stop()
      expect(await queryOn(owned, (sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }])
    } finally {
      other.kill()
    }
  })

  test('recovers committed rows after a kill', async () => {
    const killed = await start()
    await queryOn(killed, (sql) => sql`create table note as select 1 as id`)
    process.kill(killed.pid, 'SIGKILL')
    const next = await start()
    expect(next.pid).not.toBe(killed.pid)
    expect(await queryOn(next, (sql) => sql`select id from note`)).toMatchObject([{ id: 1 }])
  })

  test('ignores a PID file that names another program', async () => {
    const first = await start()
    await first.stop()
    await writeFile(path.join(dir, 'data', 'postmaster.pid'), `${process.pid}\n${dir}/data\n0\n5432\n\n\n\nready\n`)
    const second = await start()
    expect(second.isAdopted).toBe(false)
    expect(second.pid).not.toBe(process.pid)
  })

  test('recreates a cluster whose creation was interrupted', async () => {
    const first = await start()
    await first.stop()
    await rm(path.join(dir, 'initialised'))
    await rm(path.join(dir, 'data', 'global'), { recursive: true })
    const second = await start()
    expect(await queryOn(second, (sql) => sql`select 1 as one`)).toMatchObject([{ one: 1 }])
  })

  test('starts once for three concurrent callers and ignores a stale lock', async () => {
    await writeFile(path.join(dir, 'starting.pid'), DEAD_PROCESS)
    const servers = await Promise.all([start(), start(), start()])
    expect(new Set(servers.map((server) => server.pid)).size).toBe(1)
    expect(servers.filter((server) => !server.isAdopted)).toHaveLength(1)
  })

  test('leaves a folder with foreign files unchanged', async () => {
    await mkdir(path.join(dir, 'data'))
    await writeFile(path.join(dir, 'data', 'PG_VERSION'), '16')
    await expect(start()).rejects.toThrow(/has foreign files, such as data/)
    expect(await readFile(path.join(dir, 'data', 'PG_VERSION'), 'utf8')).toBe('16')
    expect(await readdir(dir)).toEqual(['data'])
    await rm(path.join(dir, 'data'), { recursive: true })
    await writeFile(path.join(dir, 'thesis.txt'), 'the only copy')
    await expect(start()).rejects.toThrow('thesis.txt')
    expect(await readdir(dir)).toEqual(['thesis.txt'])
  })

  test('reports why it cannot start', async () => {
    await expect(startEmbeddedPostgres({ dir, flags: ['no_such_setting=1'] })).rejects.toThrow('no_such_setting')
  }, 30_000)

  test('names the alternative on a platform without binaries', () => {
    expect(() => findNativeFolder('sunos-sparc')).toThrow('no embedded PostgreSQL for sunos-sparc: set DATABASE_URL')
  })
})

describe.runIf(process.getuid?.() === 0)('as root, in a folder closed to other users', () => {
  test('stores the data where the server can reach it, and deletes it once its folder was deleted', async () => {
    const closedFolder = await createTemporaryFolder('/root')
    const account = findUnprivilegedAccount()
    const replacement = findReachableFolder(path.join(closedFolder, 'postgres'), account)
    folders.push(replacement)
    expect(replacement).not.toContain(closedFolder)
    expect(await readFile(path.join(closedFolder, 'postgres', 'kept-at'), 'utf8')).toBe(replacement)
    expect(findReachableFolder(path.join(closedFolder, 'postgres'), account)).toBe(replacement)
    await rm(path.join(closedFolder, 'postgres'), { recursive: true })
    const next = findReachableFolder(path.join(closedFolder, 'postgres'), account)
    folders.push(next)
    expect(next).not.toBe(replacement)
    await expect(stat(replacement)).rejects.toThrow('ENOENT')
  })

  test('copies the binaries once to where the account can run them', async () => {
    const closedFolder = await createTemporaryFolder('/root')
    await cp(findNativeFolder(), path.join(closedFolder, 'native'), { recursive: true, verbatimSymlinks: true })
    const account = findUnprivilegedAccount()
    const copy = findReachableBinaries(path.join(closedFolder, 'native'), account)
    folders.push(copy)
    expect(copy).not.toContain(closedFolder)
    expect(findReachableBinaries(copy, account)).toBe(copy)
    expect(findReachableBinaries(path.join(closedFolder, 'native'), account)).toBe(copy)
  })
})
