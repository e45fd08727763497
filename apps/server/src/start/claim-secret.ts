import { settings } from '@community/db/schema'
import { sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { findCommunityId } from '../system/queries.ts'
import { unusableSetting } from './setting-errors.ts'

/**
 * Binds the database to the first APP_SECRET that a server starts with; throws `ConfigError` for any other. A secret
 * generated into DATA_DIR is only compared, never stored, so that production can still set its own.
 */
export async function claimSecret({ db, config, secret }: Pick<Deps, 'db' | 'config' | 'secret'>): Promise<void> {
  const fingerprint = secret.hmac('fingerprint', await findCommunityId(db))
  const isOurs = sql<boolean>`coalesce(${settings.secretFingerprint} = ${fingerprint}, true)`
  const [row] =
    config.secret === undefined
      ? await db.select({ isOurs }).from(settings)
      : // One statement: of several servers that start at once the first decides, and the others see it.
        await db
          .update(settings)
          .set({ secretFingerprint: sql`coalesce(${settings.secretFingerprint}, ${fingerprint})` })
          .returning({ isOurs })
  if (row?.isOurs) return
  const actual = config.secret === undefined ? `the one kept in ${config.dataDir} is another` : 'this is another'
  throw unusableSetting(
    'APP_SECRET',
    `the database belongs to servers with a certain secret, and ${actual}: set APP_SECRET to theirs. To replace it on purpose, follow “Replace APP_SECRET” in docs/troubleshooting.md`,
  )
}
