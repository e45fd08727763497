import { appErrors } from '@community/contract'
import { type Db, lockAdvisory, lockAdvisoryOfEmail, onlyRow, type Tx } from '@community/db'
import { identities, users } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import { accountSearchText } from '../search/search-text.ts'
import { AppError } from '../errors.ts'
import type { UserRow } from '../users/account-queries.ts'
import { isBlacklisted } from './account-queries.ts'
import { emailKey } from './email-key.ts'

type NewAccount = Pick<UserRow, 'name' | 'email' | 'language'> & { passwordHash?: string }
const accountValues = (account: NewAccount) => ({
  ...account,
  searchText: accountSearchText(account.name, account.email),
})

/** Inserts an account; the unique index rejects a taken email. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<{ id: string }> {
  return onlyRow(await tx.insert(users).values(accountValues(account)).returning({ id: users.id }))
}

/** Inserts an account; undefined if the email is taken. */
export async function insertAccountIfAbsent(tx: Tx, account: NewAccount): Promise<{ id: string } | undefined> {
  const [user] = await tx.insert(users).values(accountValues(account)).onConflictDoNothing().returning({ id: users.id })
  return user
}

export async function linkIdentity(tx: Tx, { issuer, subject, userId }: typeof identities.$inferInsert): Promise<void> {
  await tx.insert(identities).values({ issuer, subject, userId }).onConflictDoNothing()
}

export async function deleteIdentities(tx: Tx, userId: string): Promise<void> {
  await tx.delete(identities).where(eq(identities.userId, userId))
}

export async function updatePasswordHash(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.update(users).set({ passwordHash }).where(eq(users.id, userId))
}

/** Replaces a password hash; false if it is no longer the account's. */
export async function replacePasswordHash(tx: Tx, userId: string, from: string, to: string): Promise<boolean> {
  const updated = await tx
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, userId), eq(users.passwordHash, from)))
    .returning({ id: users.id })
  return updated.length > 0
}

/** Serializes the creation of the first administrator by servers that start at once. */
export const lockFirstAdmin = (tx: Tx): Promise<void> => lockAdvisory(tx, 'firstAdmin')

/** Serializes the registration of an email with a blacklisting of its variants. */
export const lockEmailKey = (tx: Tx, email: string): Promise<void> => lockAdvisoryOfEmail(tx, emailKey(email))

/**
 * Throws `emailRefused` for a blacklisted email. None of its variants can be blacklisted until the transaction ends, because every insert
 * into the blacklist takes the same lock.
 */
export async function assertNotBlacklisted(tx: Tx, email: string): Promise<void> {
  await lockEmailKey(tx, email)
  if (await isBlacklisted(tx, email)) throw new AppError(appErrors.emailRefused)
}

const adminFields = { role: 'admin', isBanned: false, banReason: null, bannedAt: null } as const

/** Makes the account with this email an administrator; undefined if there is none. */
export async function promoteToAdmin(
  tx: Tx,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<{ id: string } | undefined> {
  const [promoted] = await tx
    .update(users)
    .set({ ...adminFields, passwordHash })
    .where(eq(users.email, email))
    .returning({ id: users.id })
  return promoted
}

export async function insertAdmin(
  tx: Tx,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string },
): Promise<void> {
  await tx
    .insert(users)
    .values({ name, email, passwordHash, searchText: accountSearchText(name, email), ...adminFields })
}

/** Deletes the rate limits with one of the keys, or whose key starts with `prefix`. */
export async function deleteRateLimits(db: Db, [first, second]: [string, string], prefix: string): Promise<void> {
  // Locks the rows in the same order as running attempts.
  await db.execute(sql`
    delete from rate_limits where key in (
      select key from rate_limits where key in (${first}, ${second}) or starts_with(key, ${prefix})
      order by key collate "C" for update)`)
}
