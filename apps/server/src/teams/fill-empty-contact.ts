import type { Experience } from '@community/contract'
import type { Tx } from '@community/db'
import { updateContact } from './commands.ts'

const CONTACT = ['phone', 'github', 'instagram', 'portfolio', 'bio', 'experience'] as const

interface Contact {
  phone?: string | null | undefined
  github?: string | null | undefined
  instagram?: string | null | undefined
  portfolio?: string | null | undefined
  bio?: string | null | undefined
  experience?: Experience | null | undefined
}

/** Copies contact fields from a form to empty profile fields; existing values stay. */
export async function fillEmptyContact(tx: Tx, user: Contact & { id: string }, given: Contact): Promise<void> {
  const news = CONTACT.filter((field) => !user[field] && given[field])
  if (news.length === 0) return
  await updateContact(tx, user.id, Object.fromEntries(news.map((field) => [field, given[field]])))
}
