import type { contract, Output, Parsed } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { paginationOf } from '../pagination/keyset.ts'
import { searching } from '../search/search-limit.ts'
import { entriesWithNames } from './audit-targets.ts'
import { findAudit, findBlacklist, findWarnings } from './queries.ts'
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
  ctx: MemberContext,
  input: Parsed<Calls['blacklist']>,
): Promise<Output<Calls['blacklist']>> {
  const page = await searching(ctx, input.search, (db, search) => findBlacklist(db, { ...input, search }))
  return { blacklist: page.rows.map(entryOf), pagination: paginationOf(input, page) }
}

/** The audit log, newest first. */
export async function listAudit(ctx: MemberContext, input: Parsed<Calls['audit']>): Promise<Output<Calls['audit']>> {
  const page = await searching(ctx, input.search, (db) => findAudit(db, input))
  return { entries: await entriesWithNames(ctx.db, page.rows), pagination: paginationOf(input, page) }
}
