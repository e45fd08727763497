import { type contract, type Parsed, searchKey } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { auditLog, blacklist, challenges, teams, users, warnings } from '@community/db/schema'
import { and, count, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { counted, type ListOrder, listOrder, pagedQuery, pagedStatement } from '../pagination/keyset.ts'
import { nameMatches, textMatches } from '../search/search-condition.ts'
import type { Searched } from '../search/search-limit.ts'

type Calls = typeof contract.admin
const author = alias(users, 'author')
const authorColumns = { id: author.id, name: author.name }
const byIndex = (name: string, table: typeof warnings | typeof blacklist): ListOrder =>
  listOrder(name, [
    { on: table.createdAt, type: 'timestamptz', direction: 'desc nulls last' },
    { on: table.id, type: 'uuid' },
  ])
const newestWarnings = byIndex('admin.warnings', warnings)
const newestEntries = byIndex('admin.blacklist', blacklist)
const newestAudit = listOrder('admin.audit', [{ on: auditLog.id, type: 'bigint', direction: 'desc' }])

/** One statement for all users and for one: null applies no filter. */
const ofUser = sql`(${sql.placeholder('userId')}::uuid is null or ${warnings.userId} = ${sql.placeholder('userId')}::uuid)`
const warningsPage = pagedStatement('admin.warnings', newestWarnings, (db, { after, limit, offset }) =>
  db
    .select({
      ...getTableColumns(warnings),
      user: { id: users.id, name: users.name, email: users.email },
      author: authorColumns,
      key: newestWarnings.key,
    })
    .from(warnings)
    .innerJoin(users, eq(users.id, warnings.userId))
    .leftJoin(author, eq(author.id, warnings.createdBy))
    .where(and(ofUser, after))
    .orderBy(...newestWarnings.orderBy)
    .limit(limit)
    .offset(offset),
)
const warningsTotal = prepared('admin.warnings.total', (db) =>
  db.select({ total: count() }).from(warnings).where(ofUser),
)
/** A page of warnings, newest first, and the total; of one user if `userId` is given. */
export function findWarnings(db: Reader, { userId, ...paging }: Parsed<Calls['warnings']>) {
  const values = { userId: userId ?? null }
  return counted(warningsPage(db, paging, values), warningsTotal(db, values))
}

/** A page of the blacklist, newest first. Not prepared: a generic plan for `like` scans the whole table. */
export function findBlacklist(db: Reader, { search, ...paging }: Searched<Parsed<Calls['blacklist']>>) {
  const where: SQL | undefined = search === '' ? undefined : textMatches(blacklist.email, search)
  const rows = pagedQuery(db, newestEntries, paging, (reader, { after, limit, offset }) =>
    reader
      .select({ ...getTableColumns(blacklist), author: authorColumns, key: newestEntries.key })
      .from(blacklist)
      .leftJoin(author, eq(author.id, blacklist.createdBy))
      .where(and(where, after))
      .orderBy(...newestEntries.orderBy)
      .limit(limit)
      .offset(offset),
  )
  return counted(rows, db.select({ total: count() }).from(blacklist).where(where))
}

/** The actor's name and the values of the details, lower-cased. */
const auditWords = sql`lower(${auditLog.actorName} || ' ' ||
  coalesce((select string_agg(value, ' ') from jsonb_each_text(${auditLog.details})), ''))`

/** Matches the entry's own text, or the current name of its target. */
const auditSays = (
  words: string,
  wanted: string,
): SQL => sql`(${textMatches(auditWords, words)} or ${auditLog.targetId} in (
  select id::text from ${users} where ${textMatches(users.searchText, wanted)}
  union all select id::text from ${teams} where ${nameMatches(teams.searchText, wanted)}
  union all select id::text from ${challenges} where ${nameMatches(challenges.searchText, wanted)}))`

/** A page of the audit log, newest first. Not prepared, because each set of filters has its own best index. */
export function findAudit(db: Reader, { actorId, action, targetId, search = '', ...paging }: Parsed<Calls['audit']>) {
  const wanted = searchKey(search)
  const where = and(
    wanted === '' ? undefined : auditSays(search.trim().toLowerCase(), wanted),
    actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
    targetId === undefined ? undefined : eq(auditLog.targetId, targetId),
    action === undefined ? undefined : sql`starts_with(${auditLog.action}, ${action})`,
  )
  const rows = pagedQuery(db, newestAudit, paging, (reader, { after, limit, offset }) =>
    reader
      .select({ ...getTableColumns(auditLog), key: newestAudit.key })
      .from(auditLog)
      .where(and(where, after))
      .orderBy(...newestAudit.orderBy)
      .limit(limit)
      .offset(offset),
  )
  return counted(rows, db.select({ total: count() }).from(auditLog).where(where))
}

const latestAudit = prepared('admin.audit.latest', (db) =>
  db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(sql.placeholder('limit')),
)
/** The latest entries of the audit log. */
export const findLatestAudit = (db: Reader, most: number) => latestAudit(db, { limit: most })
