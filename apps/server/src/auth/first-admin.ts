import { inTransaction } from '@community/db'
import type { Deps } from '../context.ts'
import { ConfigError } from '../config.ts'
import { insertAdmin, lockFirstAdmin, promoteToAdmin } from './account-commands.ts'
import { findFirstAdmin } from './account-queries.ts'
import { endAllFamilies } from './session-commands.ts'

interface FirstAdmin {
  email: string
  /** Only set for the default password of a development machine. */
  password?: string
}

/** Creates the first administrator if there is none. Returns it, or null if another administrator exists. */
export async function ensureFirstAdmin({ db, config, passwords }: Deps): Promise<FirstAdmin | null> {
  const existing = await findFirstAdmin(db)
  const { admin } = config
  if (existing) {
    if (existing.email !== admin?.email) return null
    // Only while the default password has not been changed.
    const isStillDefault = admin.isDefault && (await passwords.verify(existing.passwordHash, admin.password))
    return { email: existing.email, ...(isStillDefault && { password: admin.password }) }
  }
  if (!admin)
    throw new ConfigError(
      [
        'There is no administrator yet. A default one is only created outside production while HOST and APP_URL are loopback addresses:',
        '  ADMIN_EMAIL is missing: set it to the email of the first administrator',
        '  ADMIN_PASSWORD is missing: set it to a password that nobody else knows',
      ].join('\n'),
    )
  const passwordHash = await passwords.hash(admin.password)
  const isConfigured = await inTransaction(db, async (tx) => {
    await lockFirstAdmin(tx)
    const concurrent = await findFirstAdmin(tx)
    if (concurrent) return concurrent.email === admin.email
    const promoted = await promoteToAdmin(tx, { email: admin.email, passwordHash })
    // Sessions from before the promotion must not gain admin rights.
    if (promoted) {
      await endAllFamilies(tx, promoted.id, 'became an administrator')
      return true
    }
    await insertAdmin(tx, { name: admin.name, email: admin.email, passwordHash })
    return true
  })
  return isConfigured ? { email: admin.email, ...(admin.isDefault && { password: admin.password }) } : null
}
