import { inTransaction } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { ConfigError } from '../config.ts'
import { accountSearchText } from '../search/search-text.ts'
import { endAllFamilies } from './sessions.ts'

/** Serializes several servers that start at once. */
const lockFirstAdmin = sql`select pg_advisory_xact_lock(727274, 2)`

interface FirstAdmin {
  email: string
  /** Only set for the default password of a development machine. */
  password?: string
}

/** Creates the first administrator if there is none. Returns it, or null if another administrator exists. */
export async function ensureFirstAdmin({ db, config, passwords }: Deps): Promise<FirstAdmin | null> {
  const whereAdmin = eq(users.role, 'admin')
  const [existing] = await db.select().from(users).where(whereAdmin).orderBy(users.createdAt).limit(1)
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
    await tx.execute(lockFirstAdmin)
    const [concurrent] = await tx.select({ email: users.email }).from(users).where(whereAdmin).limit(1)
    if (concurrent) return concurrent.email === admin.email
    const adminFields = { role: 'admin' as const, passwordHash, isBanned: false, banReason: null, bannedAt: null }
    const [promoted] = await tx
      .update(users)
      .set(adminFields)
      .where(eq(users.email, admin.email))
      .returning({ id: users.id })
    // Sessions from before the promotion must not gain admin rights.
    if (promoted) {
      await endAllFamilies(tx, promoted.id, 'became an administrator')
      return true
    }
    const searchText = accountSearchText(admin.name, admin.email)
    await tx.insert(users).values({ name: admin.name, email: admin.email, searchText, ...adminFields })
    return true
  })
  return isConfigured ? { email: admin.email, ...(admin.isDefault && { password: admin.password }) } : null
}
