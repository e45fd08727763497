import { type contract, type Parsed, searchKey } from '@community/contract'
import { type Reader, statement } from '@community/db'
import { auditLog, blacklist, users, warnings } from '@community/db/schema'
import { and, count, desc, eq, getTableColumns, like, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

type Calls = typeof contract.admin
interface Paging {
  page: number
  limit: number
}
const offsetOf = ({ page, limit }: Paging) => (page - 1) * limit

const author = alias(users, 'author')
const authorColumns = { id: author.id, name: author.name }
const limit = sql.placeholder('limit')
const offset = sql.placeholder('offset')

/** One plan serves the list of everybody and of one person: an absent one is a null. */
const ofUser = sql`(${sql.placeholder('userId')}::uuid is null or ${warnings.userId} = ${sql.placeholder('userId')}::uuid)`
const warningsPage = statement('admin.warnings', (db) =>
  db
    .select({
      ...getTableColumns(warnings),
      user: { id: users.id, name: users.name, email: users.email },
      author: authorColumns,
    })
    .from(warnings)
    .innerJoin(users, eq(users.id, warnings.userId))
    .leftJoin(author, eq(author.id, warnings.createdBy))
    .where(ofUser)
    .orderBy(desc(warnings.createdAt), warnings.id)
    .limit(limit)
    .offset(offset),
)
const warningsTotal = statement('admin.warnings.total', (db) =>
  db.select({ total: count() }).from(warnings).where(ofUser),
)
/** Warnings, newest first; of one person where one is named. */
export async function findWarnings(db: Reader, { userId = undefined, ...paging }: Parsed<Calls['warnings']>) {
  const values = { userId: userId ?? null, limit: paging.limit, offset: offsetOf(paging) }
  const [rows, totals] = await Promise.all([warningsPage(db, values), warningsTotal(db, values)])
  return { rows, total: totals[0]?.total ?? 0 }
}

/** The blacklist, newest first. Searches are planned anew: a generic plan for `like` reads the whole table. */
export async function findBlacklist(db: Reader, { search = '', ...paging }: Parsed<Calls['blacklist']>) {
  const pattern = `%${searchKey(search).replace(/[\\%_]/g, '\\$&')}%`
  const where: SQL | undefined = search.trim() === '' ? undefined : like(blacklist.email, pattern)
  const [rows, totals] = await Promise.all([
    db
      .select({ ...getTableColumns(blacklist), author: authorColumns })
      .from(blacklist)
      .leftJoin(author, eq(author.id, blacklist.createdBy))
      .where(where)
      .orderBy(desc(blacklist.createdAt), blacklist.id)
      .limit(paging.limit)
      .offset(offsetOf(paging)),
    db.select({ total: count() }).from(blacklist).where(where),
  ])
  return { rows, total: totals[0]?.total ?? 0 }
}

/** The audit log, newest first. Every set of filters has its own best index: planned anew each time. */
export async function findAudit(db: Reader, { actorId, action, targetId, ...paging }: Parsed<Calls['audit']>) {
  const where = and(
    actorId === undefined ? undefined : eq(auditLog.actorId, actorId),
    targetId === undefined ? undefined : eq(auditLog.targetId, targetId),
    action === undefined ? undefined : sql`starts_with(${auditLog.action}, ${action})`,
  )
  const [rows, totals] = await Promise.all([
    db.select().from(auditLog).where(where).orderBy(desc(auditLog.id)).limit(paging.limit).offset(offsetOf(paging)),
    db.select({ total: count() }).from(auditLog).where(where),
  ])
  return { rows, total: totals[0]?.total ?? 0 }
}
