import type { Tx } from '@community/db'
import { CONTACT_FIELDS, type Contact, updateContact } from '../users/commands.ts'

/** Copies contact fields from a form to empty profile fields; existing values stay. */
export async function fillEmptyContact(tx: Tx, user: Contact & { id: string }, form: Contact): Promise<void> {
  const missing = CONTACT_FIELDS.filter((field) => !user[field] && form[field])
  if (missing.length === 0) return
  await updateContact(tx, user.id, Object.fromEntries(missing.map((field) => [field, form[field]])))
}
