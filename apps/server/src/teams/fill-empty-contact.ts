import type { Tx } from '@community/db'
import type { users } from '@community/db/schema'
import { updateContact } from './commands.ts'

const CONTACT = ['phone', 'github', 'instagram', 'portfolio', 'bio', 'experience'] as const

type Contact = { [Field in (typeof CONTACT)[number]]?: (typeof users.$inferSelect)[Field] | undefined }

/** Copies contact fields from a form to empty profile fields; existing values stay. */
export async function fillEmptyContact(tx: Tx, user: Contact & { id: string }, given: Contact): Promise<void> {
  const news = CONTACT.filter((field) => !user[field] && given[field])
  if (news.length === 0) return
  await updateContact(tx, user.id, Object.fromEntries(news.map((field) => [field, given[field]])))
}
