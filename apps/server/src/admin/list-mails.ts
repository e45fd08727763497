import type { contract, Output, Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { findDeadMails } from './mail-store.ts'

type Mails = typeof contract.admin.mails

/** Mails that were given up, newest first. */
export async function listMails({ db }: MemberContext, { page, limit }: Parsed<Mails>): Promise<Output<Mails>> {
  const { rows, total } = await findDeadMails(db, { page, limit })
  const mails = rows.map((row) => ({
    ...row,
    _id: row.id,
    lastError: row.lastError ?? '',
    createdAt: row.createdAt.toISOString(),
  }))
  return { mails, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } }
}
