import postgres from 'postgres'
import { hostOptions } from './database-url.ts'
import { DatabaseUnavailable } from './errors.ts'

/**
 * Returns the version of a PostgreSQL, such as 180004 for 18.4. Throws the driver's error, or `DatabaseUnavailable` after `timeoutMs`: an
 * address may drop all packets, and a port may belong to another service.
 */
export async function probeServer(url: string, timeoutMs: number): Promise<number> {
  const sql = postgres(url, { max: 1, prepare: false, onnotice: () => {}, ...hostOptions(url, timeoutMs / 1000) })
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DatabaseUnavailable(new Error('no answer in time'))), timeoutMs)
  })
  const queryVersion = async () => {
    const [row] = await sql<{ version: number }[]>`select current_setting('server_version_num')::int as version`
    return row?.version ?? 0
  }
  try {
    return await Promise.race([queryVersion(), timeout])
  } finally {
    clearTimeout(timer)
    await sql.end({ timeout: 0 })
  }
}
