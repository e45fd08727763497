import type { Tx } from '@community/db'
import { submissions, users } from '@community/db/schema'
import { sql } from 'drizzle-orm'

/** Removes the timeouts of the transaction and keeps other writers away until its end. */
export async function lockForImport(tx: Tx): Promise<void> {
  await tx.execute(sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '10s', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`)
  await tx.execute(sql`lock table ${users} in share row exclusive mode`)
}

/** Changes the beginning of the URLs of files. */
export async function changeFileUrls(tx: Tx, from: string, to: string): Promise<void> {
  const moved = (column: typeof users.avatarUrl | typeof submissions.content) =>
    sql`${to}::text || substr(${column}, ${from.length + 1}::int)`
  await tx
    .update(users)
    .set({ avatarUrl: moved(users.avatarUrl) })
    .where(sql`starts_with(${users.avatarUrl}, ${from})`)
  await tx
    .update(submissions)
    .set({ content: moved(submissions.content) })
    .where(sql`${submissions.uploadId} is not null and starts_with(${submissions.content}, ${from})`)
}
