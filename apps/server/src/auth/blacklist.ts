import { prepared } from '@community/db'
import { blacklist } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@community/db'

/** The form that all variants of an email share: no plus part, no dots at Gmail. For blocking only, never to identify an account. */
export function emailKey(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email
    .slice(at + 1)
    .toLowerCase()
    .replace(/^googlemail\.com$/, 'gmail.com')
  const [local = ''] = email.slice(0, at).toLowerCase().split('+')
  return `${domain === 'gmail.com' ? local.replaceAll('.', '') : local}@${domain}`
}

const blacklistEntryByKey = prepared('blacklisted_by_key', (q) =>
  q
    .select({ id: blacklist.id })
    .from(blacklist)
    .where(eq(blacklist.emailKey, sql.placeholder('key'))),
)

export const isBlacklisted = async (reader: Db | Tx, email: string): Promise<boolean> =>
  (await blacklistEntryByKey(reader, { key: emailKey(email) })).length > 0
