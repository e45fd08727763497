import { sql } from 'drizzle-orm'
import type { Tx } from './client.ts'

/** The keys of all advisory locks, in one place so that no two are equal. The first number is arbitrary. */
export const ADVISORY_LOCKS = {
  migrations: [727_274, 1],
  indexBuilds: [727_274, 2],
  communityWebhooks: [727_274, 3],
  firstAdmin: [727_274, 4],
} as const

/** The first number of the keys for email addresses; the second is a hash of the address. */
const EMAIL_LOCKS = 727_275

/** Waits for an advisory lock, which is held until the transaction ends. */
export async function lockAdvisory(tx: Tx, name: keyof typeof ADVISORY_LOCKS): Promise<void> {
  const [first, second] = ADVISORY_LOCKS[name]
  await tx.execute(sql`select pg_advisory_xact_lock(${first}, ${second})`)
}

/** Waits for the advisory lock of an email, which is held until the transaction ends. */
export async function lockAdvisoryOfEmail(tx: Tx, email: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${EMAIL_LOCKS}, hashtext(${email}))`)
}
