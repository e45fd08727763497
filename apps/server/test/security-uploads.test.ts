import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { limits } from '@community/contract'
import { type Connection, inTransaction } from '@community/db'
import { fileForm } from '@community/testing'
import { createTestDatabase, type TestDatabase } from '@community/testing/database'
import { clockOf } from '@community/testing/database/clock'
import { insertUser } from '@community/testing/database/rows'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createSignIn } from '../src/auth/sessions.ts'
import { buildServer, freePort, launch, type ServerProcess } from '@community/testing/server'
import { testClientInfo } from './client-info.ts'
import { png } from './sample-files.ts'

/** The built server in a separate process, to measure its memory. */
let database: TestDatabase
let pool: Connection
let folder: string
let server: ServerProcess
let url: string
beforeAll(async () => {
  buildServer()
  database = await createTestDatabase()
  pool = database.connect()
  folder = await mkdtemp(path.join(os.tmpdir(), 'community-uploads-'))
  await chmod(folder, 0o755)
  const port = String(await freePort())
  url = `http://127.0.0.1:${port}`
  server = await launch({
    NODE_ENV: 'development',
    PORT: port,
    ...database.settings,
    DATA_DIR: path.join(folder, 'data'),
    WEB_DIR: path.join(folder, 'not-built'),
  })
  const isReady = () => {
    if (!server.output.out.includes('Ready after')) throw new Error(`not ready: ${server.output.err}`)
  }
  await vi.waitFor(isReady, { timeout: 25_000 })
})
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.exited
  await pool.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Creates a signed-in user and returns the token. */
async function createSignedInUser(): Promise<string> {
  const signIn = await inTransaction(pool.db, async (tx) => {
    return createSignIn(tx, await insertUser(tx), testClientInfo())
  })
  return signIn.result.token
}

async function send(token: string, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const form = fileForm('file', bytes, 'a.png')
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/upload/single`, { method: 'POST', headers, body: form })
  await response.arrayBuffer()
  return response.status
}

/** The peak memory of the server in MB. */
async function readPeakMemory(): Promise<number> {
  const status = await readFile(`/proc/${server.child.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

describe.runIf(process.platform === 'linux')('uploads', () => {
  let tokens: string[]
  beforeAll(async () => {
    // Each member may send two at a time.
    tokens = await Promise.all(Array.from({ length: 15 }, createSignedInUser))
  })

  it('stores thirty files of 10 MB at once in bounded memory', async () => {
    const file = png(limits.UPLOAD_BYTES_MAX)
    const statuses = await Promise.all(Array.from({ length: 30 }, (_, nth) => send(tokens[nth % 15] ?? '', file)))
    expect(statuses).toEqual(Array<number>(30).fill(201))
    expect(await readPeakMemory()).toBeLessThan(400)
  }, 60_000)

  it('rejects a file one byte too large', async () => {
    const token = await createSignedInUser()
    expect(await send(token, png(limits.UPLOAD_BYTES_MAX + 1))).toBe(413)
    const stored = await pool.sql`select count(*)::int as n from uploads`
    expect(stored[0]?.n).toBe(30)
  })

  it('allows 200 MB a day and member', async () => {
    const [token = ''] = tokens
    // Makes two files of 10 MB the whole daily quota.
    await pool.sql`update uploads set size = 10 * size`
    expect(await send(token, png())).toBe(429)
    await clockOf(pool.sql).age('uploads', 'created_at', 90_000)
    expect(await send(token, png())).toBe(201)
  })
})
