import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Fixture } from './fixture.ts'

/** What PostgreSQL wrote into its log of deadlocks and failures to serialize, since it was last started. */
export async function conflictsLogged({ sql }: Pick<Fixture, 'sql'>): Promise<string[]> {
  const [row] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`
  const log = await readFile(path.join(path.dirname(row?.folder ?? ''), 'server.log'), 'utf8')
  return log.split('\n').filter((line) => /deadlock detected|could not serialize/.test(line))
}
