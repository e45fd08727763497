import { onlyRow, type Tx, wallClock } from '@community/db'
import { blacklist, users, warnings } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { lockEmailKey } from '../auth/account-commands.ts'
import { emailKey } from '../auth/email-key.ts'
import { userListColumns, type UserListRow } from '../users/account-queries.ts'

type UserChange = Pick<PgUpdateSetSource<typeof users>, 'role' | 'isBanned' | 'banReason' | 'bannedAt' | 'warningCount'>

/** Updates a locked account and returns its columns for lists. */
async function updateUserRow(tx: Tx, userId: string, change: UserChange): Promise<UserListRow> {
  const rows = await tx
    .update(users)
    .set({ ...change, updatedAt: wallClock })
    .where(eq(users.id, userId))
    .returning(userListColumns)
  return onlyRow(rows)
}

export const updateRole = (tx: Tx, userId: string, role: UserListRow['role']): Promise<UserListRow> =>
  updateUserRow(tx, userId, { role })

/** Marks an account as banned and revokes an administrator's role. */
export const markBanned = (tx: Tx, userId: string, reason: string): Promise<UserListRow> =>
  updateUserRow(tx, userId, { role: 'member', isBanned: true, banReason: reason, bannedAt: wallClock })

export const markUnbanned = (tx: Tx, userId: string): Promise<UserListRow> =>
  updateUserRow(tx, userId, { isBanned: false, banReason: null, bannedAt: null })

/** Adds `by` to the warning count and returns the account's columns for lists. */
export const changeWarningCount = (tx: Tx, userId: string, by: 1 | -1): Promise<UserListRow> =>
  updateUserRow(tx, userId, { warningCount: sql`${users.warningCount} + ${by}` })

export async function insertWarning(tx: Tx, warning: { userId: string; reason: string; createdBy: string }) {
  return onlyRow(await tx.insert(warnings).values(warning).returning())
}

export async function findWarning(tx: Tx, id: string) {
  const [row] = await tx.select().from(warnings).where(eq(warnings.id, id))
  return row
}

/** Returns false if it is already deleted. */
export async function deleteWarning(tx: Tx, id: string): Promise<boolean> {
  return (await tx.delete(warnings).where(eq(warnings.id, id)).returning({ id: warnings.id })).length > 0
}

interface NewBlacklistEntry {
  email: string
  reason: string
  createdBy: string
}

/** Undefined if a variant of the email is already blacklisted. */
export async function insertBlacklistEntry(tx: Tx, entry: NewBlacklistEntry) {
  await lockEmailKey(tx, entry.email)
  const [row] = await tx
    .insert(blacklist)
    .values({ ...entry, emailKey: emailKey(entry.email) })
    .onConflictDoNothing()
    .returning()
  return row
}

/** Inserts an entry. If a variant has one, keeps and locks it, so that a concurrent unban cannot delete it. */
export async function ensureBlacklistEntry(tx: Tx, entry: NewBlacklistEntry): Promise<void> {
  await lockEmailKey(tx, entry.email)
  await tx
    .insert(blacklist)
    .values({ ...entry, emailKey: emailKey(entry.email) })
    // Changes nothing, but locks the row, which DO NOTHING would not.
    .onConflictDoUpdate({ target: blacklist.emailKey, set: { emailKey: sql`excluded.email_key` } })
}

export async function deleteBlacklistEntry(tx: Tx, id: string) {
  const [row] = await tx.delete(blacklist).where(eq(blacklist.id, id)).returning()
  return row
}

/** Deletes the entry of an unbanned email in any variant, unless another banned account has a variant of it. */
export async function deleteEntryAfterUnban(tx: Tx, email: string): Promise<void> {
  const key = emailKey(email)
  // A concurrent ban of a variant holds the entry's lock until it commits, so the next query sees its account.
  const [entry] = await tx.select({ id: blacklist.id }).from(blacklist).where(eq(blacklist.emailKey, key)).for('update')
  if (!entry) return
  const bannedUsers = await tx.select({ email: users.email }).from(users).where(eq(users.isBanned, true))
  if (!bannedUsers.some((other) => emailKey(other.email) === key)) await deleteBlacklistEntry(tx, entry.id)
}
