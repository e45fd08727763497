import { contract, type ParsedInput, routesOf, searchKey } from '@community/contract'
import { type Reader, prepared } from '@community/db'
import { auditLog, blacklist, challenges, submissions, teams, users, warnings } from '@community/db/schema'
import { and, count, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { countUpToMax, withTotal, queryPage, preparePages } from '../pagination/keyset.ts'
import { type ListOrder, listOrder } from '../pagination/list-order.ts'
import { nameCondition, textCondition } from '../search/search-condition.ts'
import type { WithSearchKey } from '../search/search-limit.ts'

type AdminRoutes = typeof contract.admin
const author = alias(users, 'author')
const authorColumns = { id: author.id, name: author.name }
const newestFirst = (name: string, table: typeof warnings | typeof blacklist): ListOrder =>
  listOrder(name, [
    { expression: table.createdAt, type: 'timestamptz', direction: 'desc nulls last' },
    { expression: table.id, type: 'uuid' },
  ])
const newestWarnings = newestFirst('admin.warnings', warnings)
const newestEntries = newestFirst('admin.blacklist', blacklist)
const newestAudit = listOrder('admin.audit', [{ expression: auditLog.id, type: 'bigint', direction: 'desc' }])

/** One statement for all users and for one: null applies no filter. */
const userCondition = sql`(${sql.placeholder('userId')}::uuid is null or ${warnings.userId} = ${sql.placeholder('userId')}::uuid)`
const warningsPage = preparePages('admin.warnings', newestWarnings, (db, { after, limit, offset }) =>
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
    .where(and(userCondition, after))
    .orderBy(...newestWarnings.orderBy)
    .limit(limit)
    .offset(offset),
)
const warningsTotal = prepared('admin.warnings.total', (db) =>
  db.select({ total: count() }).from(warnings).where(userCondition),
)
/** A page of warnings, newest first, and the total; of one user if `userId` is given. */
export function findWarnings(db: Reader, { userId, ...paging }: ParsedInput<AdminRoutes['warnings']>) {
  const parameters = { userId: userId ?? null }
  return withTotal(warningsPage(db, paging, parameters), warningsTotal(db, parameters))
}

/** A page of the blacklist, newest first. Not prepared: a generic plan for `like` scans the whole table. */
export function findBlacklist(db: Reader, { search, ...paging }: WithSearchKey<ParsedInput<AdminRoutes['blacklist']>>) {
  const where: SQL | undefined = search === '' ? undefined : textCondition(blacklist.email, search)
  const rows = queryPage(db, newestEntries, paging, (reader, { after, limit, offset }) =>
    reader
      .select({ ...getTableColumns(blacklist), author: authorColumns, key: newestEntries.key })
      .from(blacklist)
      .leftJoin(author, eq(author.id, blacklist.createdBy))
      .where(and(where, after))
      .orderBy(...newestEntries.orderBy)
      .limit(limit)
      .offset(offset),
  )
  return withTotal(rows, db.select({ total: count() }).from(blacklist).where(where))
}

/** The names of actor and token and the values of the details, lower-cased. */
const auditText = sql`lower(${auditLog.actorName} || ' ' || coalesce(${auditLog.tokenName}, '') || ' ' ||
  coalesce((select string_agg(value, ' ') from jsonb_each_text(${auditLog.details})), ''))`

/** Matches the entry's own text, or the current name of its target. */
const auditSearchCondition = (
  text: string,
  key: string,
): SQL => sql`(${textCondition(auditText, text)} or ${auditLog.targetId} in (
  select id::text from ${users} where ${textCondition(users.searchText, key)}
  union all select id::text from ${teams} where ${nameCondition(teams.searchText, key)}
  union all select id::text from ${challenges} where ${nameCondition(challenges.searchText, key)}))`

const procedureNames = new Set(routesOf(contract).map(([name]) => name))
/** A procedure’s name selects no others: `teams.remove` is also a prefix of `teams.removeMember`. */
const actionCondition = (action: string): SQL =>
  procedureNames.has(action) ? eq(auditLog.action, action) : sql`starts_with(${auditLog.action}, ${action})`

/** A page of the audit log, newest first. Not prepared, because each set of filters has its own best index. */
export function findAudit(
  db: Reader,
  { actorId, action, targetId, search = '', ...paging }: ParsedInput<AdminRoutes['audit']>,
) {
  const key = searchKey(search)
  const where = and(
    key === '' ? undefined : auditSearchCondition(search.trim().toLowerCase(), key),
    actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
    targetId === undefined ? undefined : eq(auditLog.targetId, targetId),
    action === undefined ? undefined : actionCondition(action),
  )
  const rows = queryPage(db, newestAudit, paging, (reader, { after, limit, offset }) =>
    reader
      .select({ ...getTableColumns(auditLog), key: newestAudit.key })
      .from(auditLog)
      .where(and(where, after))
      .orderBy(...newestAudit.orderBy)
      .limit(limit)
      .offset(offset),
  )
  return withTotal(rows, countUpToMax(db, sql`select from ${auditLog} where ${where ?? sql`true`}`))
}

const latestAudit = prepared('admin.audit.latest', (db) =>
  db.select().from(auditLog).orderBy(desc(auditLog.id)).limit(sql.placeholder('limit')),
)
/** The latest entries of the audit log. */
export const findLatestAudit = (db: Reader, limit: number) => latestAudit(db, { limit: limit })

const anyOfIds = sql`any(${sql.placeholder('ids')}::uuid[])`

const targetNamesByIds = prepared('admin.audit.names', (db) =>
  db.select({ id: sql<string>`target.id`, name: sql<string>`target.name` }).from(
    sql`(select id::text, name from ${users} where ${users.id} = ${anyOfIds}
        union all select id::text, name from ${teams} where ${teams.id} = ${anyOfIds}
        union all select id::text, title from ${challenges} where ${challenges.id} = ${anyOfIds}
        union all select ${submissions.id}::text, ${teams.name} || ' · ' || ${challenges.title} from ${submissions}
          join ${teams} on ${teams.id} = ${submissions.teamId}
          join ${challenges} on ${challenges.id} = ${submissions.challengeId}
          where ${submissions.id} = ${anyOfIds}) as target`,
  ),
)
/** The current names of users, teams, challenges and submissions, by id. */
export const findTargetNames = (db: Reader, ids: string[]) => targetNamesByIds(db, { ids })
