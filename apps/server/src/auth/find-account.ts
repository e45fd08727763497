import { type Reader, prepared } from '@community/db'
import { users } from '@community/db/schema'
import { sql } from 'drizzle-orm'
import type { UserRow } from '../users/views.ts'

const accountByEmail = prepared('account_by_email', (q) =>
  q
    .select()
    .from(users)
    .where(sql`lower(${users.email}) = ${sql.placeholder('email')}`),
)

/** The account of a lower-cased email; undefined if there is none. */
export const findAccount = async (reader: Reader, email: string): Promise<UserRow | undefined> =>
  (await accountByEmail(reader, { email }))[0]
