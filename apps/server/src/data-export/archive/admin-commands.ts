import type { Reader, Tx } from '@community/db'
import {
  announcements,
  auditLog,
  identities,
  knownDevices,
  mailBounces,
  notificationPreferences,
  notifications,
  notificationSettings,
  personalTokens,
  refreshFamilies,
  sessions,
  users,
} from '@community/db/schema'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { ArchiveError } from './manifest.ts'

/** The administrator who imports from the admin area: the only account of an empty product. */
export interface SoleAdmin {
  id: string
  email: string
  passwordHash: string | null
}

/** Tables that need not be empty: the administrator’s account, sign-ins and actions fill them, as do mails to the administrator. */
export const FILLED_BY_ADMIN: readonly PgTable[] = [
  users,
  identities,
  knownDevices,
  mailBounces,
  announcements,
  notifications,
  notificationPreferences,
  notificationSettings,
  auditLog,
]

/** Throws `ArchiveError` unless an administrator has the only account. */
export async function findSoleAdmin(tx: Reader): Promise<SoleAdmin> {
  const { id, email, role, passwordHash } = users
  const [admin, ...others] = await tx.select({ id, email, role, passwordHash }).from(users).limit(2)
  if (admin?.role === 'admin' && others.length === 0) return admin
  throw new ArchiveError('The database is not empty (users has other accounts)', 'not-empty')
}

/** The running server adds entries to the audit log during an import, so its sequence must not be reset. */
export const isSequenceInUse = (table: PgTable): boolean => table === auditLog

/** The temporary address of the imported account that has the administrator's, until `mergeAdmin`, because addresses are unique. */
const placeholderEmail = (id: SQL | PgColumn): SQL => sql`${id} || '@importing.invalid'`

export interface InsertOptions {
  /** SQL by column, which replaces the value in the archive. */
  values?: Readonly<Record<string, SQL>>
  /** Skips rows whose key exists, instead of failing. */
  skipsKnown?: boolean
}

/**
 * The columns that an import changes so that rows do not collide with the administrator's. `lastId` is the id before the batch's first:
 * entries of the audit log get the ids up to 0, because they are older than the administrator's.
 */
export function valuesThatAvoid(table: PgTable, { email }: SoleAdmin, lastId: number): InsertOptions {
  if (table === users)
    return { values: { email: sql`case when email = ${email} then ${placeholderEmail(sql`id`)} else email end` } }
  if (table === auditLog) return { values: { id: sql`${lastId}::bigint + row_number() over (order by id)` } }
  // Both the archive and the administrator may have signed in with the same external account.
  return { skipsKnown: table === identities }
}

/**
 * Gives the administrator's password, sign-ins, devices and role to the imported account with the same address, if there is one,
 * and deletes the administrator's own. Call it after all rows: until the commit it blocks the administrator's requests.
 * Audit log entries never change: the administrator's earlier entries keep the deleted id.
 */
export async function mergeAdmin(tx: Tx, { id, email, passwordHash }: SoleAdmin): Promise<void> {
  const [imported] = await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, placeholderEmail(users.id)))
    .limit(1)
  if (!imported) return
  for (const table of [identities, refreshFamilies, sessions, personalTokens])
    await tx.update(table).set({ userId: imported.id }).where(eq(table.userId, id))
  // Keeps the imported account's row for a device that both have used.
  await tx.execute(sql`insert into ${knownDevices} (user_id, browser, system, created_at, last_seen_at)
    select ${imported.id}::uuid, browser, system, created_at, last_seen_at from ${knownDevices} where user_id = ${id}::uuid
    on conflict do nothing`)
  await tx.delete(users).where(eq(users.id, id))
  await tx
    .update(users)
    .set({ email, passwordHash, role: 'admin', isBanned: false, banReason: null, bannedAt: null })
    .where(eq(users.id, imported.id))
}
