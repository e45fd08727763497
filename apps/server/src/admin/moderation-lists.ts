import type { contract, Output, ParsedInput } from '@community/contract'
import type { AuthenticatedContext } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { runSearch } from '../search/search-limit.ts'
import { toAuditEntries } from './audit-targets.ts'
import { findAudit, findBlacklist, findWarnings } from './queries.ts'
import { toBlacklistEntry, toWarning } from './views.ts'

type AdminRoutes = typeof contract.admin

/** Warnings, newest first; of one user if `userId` is given. */
export async function listWarnings(
  { db }: AuthenticatedContext,
  input: ParsedInput<AdminRoutes['warnings']>,
): Promise<Output<AdminRoutes['warnings']>> {
  const page = await findWarnings(db, input)
  return { warnings: page.rows.map(toWarning), pagination: toPagination(input, page) }
}

/** The blacklist, newest first. */
export async function listBlacklist(
  ctx: AuthenticatedContext,
  input: ParsedInput<AdminRoutes['blacklist']>,
): Promise<Output<AdminRoutes['blacklist']>> {
  const page = await runSearch(ctx, input.search, (db, search) => findBlacklist(db, { ...input, search }))
  return { blacklist: page.rows.map(toBlacklistEntry), pagination: toPagination(input, page) }
}

/** The audit log, newest first. */
export async function listAudit(
  ctx: AuthenticatedContext,
  input: ParsedInput<AdminRoutes['audit']>,
): Promise<Output<AdminRoutes['audit']>> {
  // Passes the text as typed: `findAudit` searches for it and for its normalised form.
  const page = await runSearch(ctx, input.search, (db) => findAudit(db, input))
  return { entries: await toAuditEntries(ctx.db, page.rows), pagination: toPagination(input, page) }
}
