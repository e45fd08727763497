import type { contract, Output, ParsedInput } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { findDeadMails } from './mail-queries.ts'

type MailsRoute = typeof contract.admin.mails

/** Dead mails, newest first. */
export async function listMails(
  { db }: AuthenticatedContext,
  input: ParsedInput<MailsRoute>,
): Promise<Output<MailsRoute>> {
  const page = await findDeadMails(db, input)
  const mails = page.rows.map((row) => ({
    ...row,
    _id: row.id,
    lastError: row.lastError ?? '',
    createdAt: row.createdAt.toISOString(),
  }))
  return { mails, pagination: toPagination(input, page) }
}
