import type { Deps } from '../context.ts'
import { findAdminHashes } from './queries.ts'
import { PUBLISHED_PASSWORDS } from './published-values.ts'
import { unusableSetting } from './setting-errors.ts'

/** Throws `ConfigError` if others can reach this server and an administrator still has a published password. */
export async function checkAdminPasswords({
  db,
  config,
  passwords,
}: Pick<Deps, 'db' | 'config' | 'passwords'>): Promise<void> {
  if (!config.isExposed) return
  for (const { id, hash } of await findAdminHashes(db))
    for (const password of PUBLISHED_PASSWORDS)
      if (await passwords.verify(hash, password))
        throw unusableSetting(
          'ADMIN_EMAIL, ADMIN_PASSWORD',
          `the administrator with the id ${id} still has a password that is published with the source code, and others can reach this server. Change it in a development start on this machine alone (HOST and APP_URL unset), or set both for a new administrator as “An administrator has a published password” in docs/troubleshooting.md says`,
        )
}
