import type { contract, Output, Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { paginationOf } from '../paging.ts'
import { entriesWithNames } from './audit-targets.ts'
import { findAudit, findBlacklist, findWarnings } from './reading-store.ts'
import { entryOf, warningOf } from './views.ts'

type Calls = typeof contract.admin

/** Warnings, newest first. */
export async function listWarnings(
  { db }: MemberContext,
  input: Parsed<Calls['warnings']>,
): Promise<Output<Calls['warnings']>> {
  const page = await findWarnings(db, input)
  return { warnings: page.rows.map(warningOf), pagination: paginationOf(input, page) }
}

/** The blacklist, newest first. */
export async function listBlacklist(
  { db }: MemberContext,
  input: Parsed<Calls['blacklist']>,
): Promise<Output<Calls['blacklist']>> {
  const page = await findBlacklist(db, input)
  return { blacklist: page.rows.map(entryOf), pagination: paginationOf(input, page) }
}

/** The audit log, newest first. */
export async function listAudit({ db }: MemberContext, input: Parsed<Calls['audit']>): Promise<Output<Calls['audit']>> {
  const page = await findAudit(db, input)
  return { entries: await entriesWithNames(db, page.rows), pagination: paginationOf(input, page) }
}
