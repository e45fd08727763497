import type { Deps } from '../context.ts'
import { findCommunityId } from '../system/queries.ts'
import { claimFingerprint, compareFingerprint } from './commands.ts'
import { unusableSetting } from './setting-errors.ts'

/**
 * Binds the database to the first APP_SECRET that a server starts with; throws `ConfigError` for any other. A secret
 * generated into DATA_DIR is only compared, never stored, so that production can still set its own.
 */
export async function claimSecret({ db, config, secret }: Pick<Deps, 'db' | 'config' | 'secret'>): Promise<void> {
  const fingerprint = secret.hmac('fingerprint', await findCommunityId(db))
  const isOurs = await (config.secret === undefined ? compareFingerprint : claimFingerprint)(db, fingerprint)
  if (isOurs) return
  const actual = config.secret === undefined ? `the one kept in ${config.dataDir} is another` : 'this is another'
  throw unusableSetting(
    'APP_SECRET',
    `the database belongs to servers with a certain secret, and ${actual}: set APP_SECRET to theirs. To replace it on purpose, follow “Replace APP_SECRET” in docs/troubleshooting.md`,
  )
}
