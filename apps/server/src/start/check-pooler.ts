import { type Pooler, connect, SESSION_TIMEOUTS } from '@community/db'
import { unusableSetting } from './setting-errors.ts'

/** Throws unless the sessions behind the pooler have the product's timeouts or shorter ones. */
export async function checkPooler(url: string, pooler: Pooler): Promise<void> {
  const { sql, close } = connect(url, { max: 1, pooler })
  try {
    const rows = await sql<{ name: keyof typeof SESSION_TIMEOUTS; ms: number; user: string; database: string }[]>`
      select name, setting::int as ms, current_user as user, current_database() as database
      from pg_settings where name = any(${Object.keys(SESSION_TIMEOUTS)})`
    const missing = rows.filter(({ name, ms }) => ms === 0 || ms > SESSION_TIMEOUTS[name])
    if (missing.length === 0) return
    const statements = missing.map(
      ({ name, user, database }) =>
        `ALTER ROLE "${user}" IN DATABASE "${database}" SET ${name} = ${SESSION_TIMEOUTS[name]};`,
    )
    throw unusableSetting(
      'DATABASE_POOLER',
      `the sessions of the pooler do not time out; run ${statements.join(' ')} and let the pooler reconnect`,
    )
  } finally {
    await close()
  }
}
