import { inTransaction } from '@community/db'
import { users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { ConfigError } from '../config.ts'
import { accountSearchText } from '../search/search-text.ts'
import { endAllFamilies } from './sessions.ts'

/** Whoever holds this lock makes the first admin: several servers may start at once. */
const lockFirstAdmin = sql`select pg_advisory_xact_lock(727274, 2)`

export interface FirstAdmin {
  email: string
  /** Only where it is the printed default of a development machine. */
  password?: string
}

/** Creates the first administrator when there is none; tells who it is, or null when there is one already. */
export async function ensureFirstAdmin({ db, config, passwords }: Deps): Promise<FirstAdmin | null> {
  const whereAdmin = eq(users.role, 'admin')
  const [existing] = await db.select().from(users).where(whereAdmin).orderBy(users.createdAt).limit(1)
  const { admin } = config
  if (existing) {
    if (existing.email !== admin?.email) return null
    // A default that was changed since is no longer told.
    const isStillDefault = admin.isDefault && (await passwords.verify(existing.passwordHash, admin.password))
    return { email: existing.email, ...(isStillDefault && { password: admin.password }) }
  }
  if (!admin)
    throw new ConfigError(
      [
        'There is no administrator yet, and a default one is made only outside production while HOST and APP_URL are of this machine alone:',
        '  ADMIN_EMAIL is missing: set it to the address of the first administrator',
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
    // Sign-ins from before the promotion do not get its powers.
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
