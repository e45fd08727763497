import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { findDeadMails } from './mail-queries.ts'

/** Dead mails, newest first. */
export const listMails: UseCase<typeof contract.admin.mails> = async ({ db }, input) => {
  const page = await findDeadMails(db, input)
  const mails = page.rows.map((row) => ({
    ...row,
    _id: row.id,
    lastError: row.lastError ?? '',
    createdAt: row.createdAt.toISOString(),
  }))
  return { mails, pagination: toPagination(input, page) }
}
