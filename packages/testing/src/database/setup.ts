import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import postgres from 'postgres'
import { startEmbeddedPostgres } from '@community/db/embedded'
import { migrate } from '@community/db'
import { startPooler } from './pooler.ts'
import { databaseUrlOf, TEMPLATE, type PostgresServer } from './test-database.ts'

/** The part of vitest's project that this setup uses. */
interface Project {
  provide(key: 'postgresServer', value: PostgresServer): void
}

/** Test databases need no durability. */
const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200']

async function createTemplate(serverUrl: string): Promise<void> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => {} })
  try {
    await sql`drop database if exists ${sql(TEMPLATE)} with (force)`
    await sql`create database ${sql(TEMPLATE)}`
  } finally {
    await sql.end()
  }
  await migrate(databaseUrlOf(serverUrl, TEMPLATE))
}

/**
 * A vitest global setup: one real PostgreSQL for the run, with a migrated template that each test file copies.
 * `TEST_DATABASE_URL` names a server to use instead of the embedded one. With `TEST_DATABASE_POOLER=1` the product's pools and servers
 * reach it through PgBouncer.
 */
export default async function setup(project: Project): Promise<() => Promise<void>> {
  const server = await openServer()
  await createTemplate(server.url)
  const pooler = process.env.TEST_DATABASE_POOLER ? await startPooler(server.url) : undefined
  project.provide('postgresServer', { url: server.url, poolerPort: pooler?.port })
  return async () => {
    await pooler?.stop()
    await server.close()
  }
}

async function openServer() {
  const { TEST_DATABASE_URL: url } = process.env
  if (url) return { url, close: async () => {} }
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-test-'))
  const server = await startEmbeddedPostgres({ dir, database: 'postgres', flags: FAST_SETTINGS })
  return {
    url: server.url,
    async close() {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
