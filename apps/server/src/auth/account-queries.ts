import { type Reader, prepared } from '@community/db'
import { blacklist, identities, users } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import type { UserRow } from '../users/account-queries.ts'
import { emailKey } from './email-key.ts'

const accountByEmail = prepared('auth.account-by-email', (q) =>
  q
    .select()
    .from(users)
    .where(sql`lower(${users.email}) = ${sql.placeholder('email')}`),
)

/** The account of an email, which must be in lower case; undefined if there is none. */
export const findAccountByEmail = async (reader: Reader, email: string): Promise<UserRow | undefined> =>
  (await accountByEmail(reader, { email }))[0]

const blacklistEntryByKey = prepared('blacklist.by-key', (q) =>
  q
    .select({ id: blacklist.id })
    .from(blacklist)
    .where(eq(blacklist.emailKey, sql.placeholder('key'))),
)

/** True if the email or a variant of it is on the blacklist. */
export const isBlacklisted = async (reader: Reader, email: string): Promise<boolean> =>
  (await blacklistEntryByKey(reader, { key: emailKey(email) })).length > 0

/** The account that is linked to an external identity. */
export async function findLinkedAccount(
  db: Reader,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<UserRow | undefined> {
  const [linked] = await db
    .select({ account: users })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
  return linked?.account
}

/** The administrator whose account was created first. */
export async function findFirstAdmin(db: Reader): Promise<UserRow | undefined> {
  const [admin] = await db.select().from(users).where(eq(users.role, 'admin')).orderBy(users.createdAt).limit(1)
  return admin
}
