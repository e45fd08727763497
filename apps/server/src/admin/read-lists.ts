import type { contract, Output, Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { findAudit, findBlacklist, findWarnings } from './reading-store.ts'
import { auditEntryOf, entryOf, warningOf } from './views.ts'

type Calls = typeof contract.admin

const paginationOf = ({ page, limit }: { page: number; limit: number }, total: number) => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
  nextCursor: null,
})

/** Warnings, newest first. */
export async function listWarnings(
  { db }: MemberContext,
  input: Parsed<Calls['warnings']>,
): Promise<Output<Calls['warnings']>> {
  const { rows, total } = await findWarnings(db, input)
  return { warnings: rows.map(warningOf), pagination: paginationOf(input, total) }
}

/** The blacklist, newest first. */
export async function listBlacklist(
  { db }: MemberContext,
  input: Parsed<Calls['blacklist']>,
): Promise<Output<Calls['blacklist']>> {
  const { rows, total } = await findBlacklist(db, input)
  return { blacklist: rows.map(entryOf), pagination: paginationOf(input, total) }
}

/** The audit log, newest first. */
export async function listAudit({ db }: MemberContext, input: Parsed<Calls['audit']>): Promise<Output<Calls['audit']>> {
  const { rows, total } = await findAudit(db, input)
  return { entries: rows.map(auditEntryOf), pagination: paginationOf(input, total) }
}
