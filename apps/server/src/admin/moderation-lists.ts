import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { toPagination } from '../pagination/keyset.ts'
import { runSearch } from '../search/search-limit.ts'
import { toAuditEntries } from './audit-targets.ts'
import { findAudit, findBlacklist, findWarnings } from './queries.ts'
import { toBlacklistEntry, toWarning } from './views.ts'

/** Warnings, newest first; of one user if `userId` is given. */
export const listWarnings: UseCase<typeof contract.admin.warnings> = async ({ db }, input) => {
  const page = await findWarnings(db, input)
  return { warnings: page.rows.map(toWarning), pagination: toPagination(input, page) }
}

/** The blacklist, newest first. */
export const listBlacklist: UseCase<typeof contract.admin.blacklist> = async (ctx, input) => {
  const page = await runSearch(ctx, input.search, (db, search) => findBlacklist(db, { ...input, search }))
  return { blacklist: page.rows.map(toBlacklistEntry), pagination: toPagination(input, page) }
}

/** The audit log, newest first. */
export const listAudit: UseCase<typeof contract.admin.audit> = async (ctx, input) => {
  // Passes the text as typed: `findAudit` searches for it and for its normalised form.
  const page = await runSearch(ctx, input.search, (db) => findAudit(db, input))
  return { entries: await toAuditEntries(ctx.db, page.rows), pagination: toPagination(input, page) }
}
