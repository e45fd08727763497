import { ProfileInput } from '@community/contract'
import { pickColumns, sharedColumns, type Tx } from '@community/db'
import { codes, idempotencyKeys, jobs, rateLimits, users } from '@community/db/schema'
import { eq, inArray, sql } from 'drizzle-orm'
import { emailKey } from '../auth/email-key.ts'
import { decoyEmail } from '../auth/codes.ts'
import { accountSearchText } from '../search/search-text.ts'
import type { UserRow } from './account-queries.ts'

type Change<Columns> = { [Field in keyof Columns & keyof UserRow]?: UserRow[Field] | undefined }

const changeableColumns = sharedColumns(users, ProfileInput.omit({ avatarUrl: true, currentPassword: true }).shape)
/** Fields that an owner may change; omitted ones keep their value. */
export type ProfileChange = Change<typeof changeableColumns>

/** Updates an account; undefined when it was deleted. */
export async function updateProfileRow(
  tx: Tx,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  change: ProfileChange,
): Promise<UserRow | undefined> {
  const { name } = change
  const [row] = await tx
    .update(users)
    .set({
      ...pickColumns(change, changeableColumns),
      ...(name !== undefined && { searchText: accountSearchText(name, email) }),
      updatedAt: sql`now()`,
    })
    .where(eq(users.id, id))
    .returning()
  return row
}

export const CONTACT_FIELDS = ['phone', 'github', 'instagram', 'portfolio', 'bio', 'experience'] as const
/** The contact fields of an account, which the forms of a team ask for too. */
export type Contact = Change<Record<(typeof CONTACT_FIELDS)[number], unknown>>

const contactColumns = sharedColumns(users, Object.fromEntries(CONTACT_FIELDS.map((field) => [field, true])))
export async function updateContact(tx: Tx, userId: string, contact: Contact): Promise<void> {
  await tx
    .update(users)
    .set({ ...pickColumns(contact, contactColumns), updatedAt: sql`now()` })
    .where(eq(users.id, userId))
}

export async function disableSignInCode(tx: Tx, userId: string): Promise<void> {
  await tx.update(users).set({ signInOtp: false }).where(eq(users.id, userId))
}

export async function deleteUserRow(tx: Tx, userId: string): Promise<void> {
  await tx.delete(users).where(eq(users.id, userId))
}

/** Deletes rows that hold the email without a foreign key: mails, codes, rate limits, idempotency responses. */
export async function deleteAddressData(tx: Tx, { id, email }: UserRow): Promise<void> {
  const emails = [email, decoyEmail(email)]
  await tx.delete(jobs).where(eq(jobs.recipient, email))
  await tx.delete(codes).where(inArray(codes.email, emails))
  await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.owner, id))
  // Keys are joined with colons, which emails cannot contain.
  const values = sql.join(
    [...emails, emailKey(email), id].map((value) => sql`${value}`),
    sql`, `,
  )
  await tx.delete(rateLimits).where(sql`string_to_array(${rateLimits.key}, ':') && array[${values}]::text[]`)
}
