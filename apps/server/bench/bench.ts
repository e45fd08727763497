import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@community/db/embedded'
import postgres from 'postgres'
import { buildPrograms, type Program } from './programs.ts'

export interface Bench {
  cluster: EmbeddedPostgres
  /** Creates a database; resolves with its URL. */
  createDatabase(name: string): Promise<string>
  /** An unused folder for a program's files. */
  dataDir(): string
  /** Registers a program, which is stopped at the end. */
  register(program: Promise<Program>): Promise<Program>
  /** The machine's load before and now, as a sentence. */
  describeLoad(): string
}

/** Builds the programs and runs a bench on a PostgreSQL of its own with these settings. */
export async function withBench(flags: string[], run: (bench: Bench) => Promise<void>): Promise<void> {
  const [loadBefore] = os.loadavg()
  const dir = await mkdtemp(path.join(os.tmpdir(), 'community-bench-'))
  const cluster = await startEmbeddedPostgres({ dir, database: 'bench', flags: ['max_wal_size=4GB', ...flags] })
  const programs: Program[] = []
  try {
    await buildPrograms()
    await run({
      cluster,
      async createDatabase(name) {
        const sql = postgres(cluster.url, { max: 1, onnotice: () => {} })
        await sql`create database ${sql(name)}`
        await sql.end()
        return cluster.url.replace(/[^/]+$/, name)
      },
      dataDir: () => path.join(dir, randomUUID()),
      async register(program) {
        programs.push(await program)
        return program
      },
      describeLoad: () => `Load average ${loadBefore?.toFixed(1)} before and ${os.loadavg()[0]?.toFixed(1)} after.`,
    })
  } finally {
    for (const program of programs) await program.stop()
    await cluster.stop()
    await rm(dir, { recursive: true, force: true })
  }
}
