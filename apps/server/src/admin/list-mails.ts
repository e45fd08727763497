import type { contract, Output, Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { paginationOf } from '../pagination/keyset.ts'
import { findDeadMails } from './mail-queries.ts'

type Mails = typeof contract.admin.mails

/** Dead mails, newest first. */
export async function listMails({ db }: MemberContext, input: Parsed<Mails>): Promise<Output<Mails>> {
  const page = await findDeadMails(db, input)
  const mails = page.rows.map((row) => ({
    ...row,
    _id: row.id,
    lastError: row.lastError ?? '',
    createdAt: row.createdAt.toISOString(),
  }))
  return { mails, pagination: paginationOf(input, page) }
}
