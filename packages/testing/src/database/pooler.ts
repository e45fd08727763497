import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const SCRIPTS = fileURLToPath(new URL('../../../../scripts', import.meta.url))
const run = promisify(execFile)

/** The settings of a database behind a pooler in transaction mode. */
export function pooledSettings(url: string, poolerPort: number) {
  const pooled = new URL(url)
  pooled.port = String(poolerPort)
  return { DATABASE_URL: pooled.href, DATABASE_DIRECT_URL: url, DATABASE_POOLER: 'transaction' }
}

interface RunningPooler {
  port: number
  stop(): Promise<void>
}

/** Starts Debian's PgBouncer in transaction mode in front of the PostgreSQL of a URL, which is on 127.0.0.1. */
export async function startPooler(databaseUrl: string): Promise<RunningPooler> {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'community-pooler-'))
  // PgBouncer runs as another user if root starts it.
  await chmod(parent, 0o755)
  const folder = path.join(parent, 'pgbouncer')
  await run(path.join(SCRIPTS, 'pgbouncer-up.sh'), [folder, databaseUrl])
  return {
    port: Number(await readFile(path.join(folder, 'port'), 'utf8')),
    async stop() {
      await run(path.join(SCRIPTS, 'stop-started.sh'), [folder])
      await rm(parent, { recursive: true, force: true })
    },
  }
}
