import { limits } from '@community/contract'
import type { Reader } from '@community/db'
import { challenges, submissions, teams, users } from '@community/db/schema'
import { and, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { nameMatchCondition, nameCondition } from '../search/search-condition.ts'

/** Up to this many matching names the planner gets their ids, and can use an index. */
const NAMES_MAX = 1000
const TOTAL_MAX = limits.SEARCH_TOTAL_MAX

type Status = (typeof submissions.$inferSelect)['status']

/** A table whose names are searched, and the column of submissions that references it. */
interface Reference {
  column: SQLWrapper
  table: typeof teams | typeof challenges | typeof users
  /** Compares the status in the form that lets PostgreSQL count works in an index. */
  statusCondition: (status: Status) => SQL
}
const statusCondition = (status: Status): SQL => sql`${submissions.status} = ${status}::submission_status`
const TEAMS_AND_CHALLENGES: Reference[] = [
  { column: submissions.challengeId, table: challenges, statusCondition },
  {
    column: submissions.teamId,
    table: teams,
    // As text: for the enum the planner would use the index (team, challenge, status), and assume that it must skip over all challenges.
    statusCondition: (status) => sql`${submissions.status}::text = ${status}`,
  },
]
const WITH_SUBMITTERS: Reference[] = [
  ...TEAMS_AND_CHALLENGES,
  { column: submissions.submittedBy, table: users, statusCondition },
]

/** Conditions besides the search. */
export interface SubmissionFilter {
  status?: Status | undefined
  /** The team and the challenge. */
  owners?: SQL | undefined
  changes?: SQL | undefined
}
/** The conditions that lists have indexes for. */
export const listedCondition = ({ status, owners }: SubmissionFilter): SQL | undefined =>
  and(status && statusCondition(status), owners)

/** The submissions that a search found among those that pass its filter. */
export interface FoundSubmissions {
  total: number
  isTotalCapped: boolean
  condition: SQL
  /** Selects the same works by id, for reading all of them: `condition` would be checked for every work. */
  conditionForAll?: SQL | undefined
}

/** A search in one of the tables; `names` selects the matching ids. */
interface NameSearch extends Reference {
  names: SQL
}

const selectNames = ({ table }: Reference, key: string): SQL =>
  sql`select ${table.id} as id from ${table} where ${nameCondition(table.searchText, key)}`

/** Works of the named rows. `offset 0` keeps the join a loop, which ends at a limit. */
function selectWorks(
  { column, names, statusCondition: toStatusCondition }: NameSearch,
  filter: SubmissionFilter,
  value: SQL,
): SQL {
  const where = and(
    sql`${column} = named.id`,
    filter.status && toStatusCondition(filter.status),
    filter.owners,
    filter.changes,
  )
  const works = sql`select ${value} from ${submissions} where ${where} offset 0`
  return sql`select work.value from (${names} offset 0) as named cross join lateral (${works}) as work (value)`
}
/** Stops one row past the cap. */
const limited = (rows: SQL): SQL => sql`${rows} limit ${TOTAL_MAX + 1}`

const countRows = (rows: SQL): SQL => sql`(select count(*)::int from (${rows}) as counted)`

/** The distinct ids of works. */
const selectIds = (parts: NameSearch[], filter: SubmissionFilter, limit = (rows: SQL) => rows): SQL =>
  sql.join(
    parts.map((part) => sql`(${limit(selectWorks(part, filter, sql`${submissions.id}`))})`),
    sql` union `,
  )

/** The first matching names of each table, all of them if there are at most `NAMES_MAX`, and the number of their works. */
async function findNames(db: Reader, references: Reference[], key: string, filter: SubmissionFilter) {
  const ctes = references.map(
    (reference, index) =>
      sql`${sql.raw(`names_${index}`)} as materialized (${selectNames(reference, key)} limit ${NAMES_MAX + 1})`,
  )
  const parts = references.map((reference, index) => ({
    ...reference,
    names: sql`select id from ${sql.raw(`names_${index}`)}`,
  }))
  const ids = parts.map(
    ({ names }, index) =>
      sql`(select case when count(*) <= ${NAMES_MAX} then coalesce(array_agg(id), '{}') end from (${names}) as named) as ${sql.raw(`ids_${index}`)}`,
  )
  const cappedConditions = parts.map(
    (part) => sql`${countRows(limited(selectWorks(part, filter, sql`1`)))} > ${TOTAL_MAX}`,
  )
  const [row] = await db.execute(sql`
    with ${sql.join(ctes, sql`, `)} select ${sql.join(ids, sql`, `)},
      case when ${sql.join(cappedConditions, sql` or `)} then ${TOTAL_MAX + 1} else ${countRows(selectIds(parts, filter, limited))} end as total`)
  return {
    idsOf: references.map((_reference, index) => row?.[`ids_${index}`] as string[] | null),
    count: row?.total as number,
  }
}

/**
 * Finds names first, because an `or` of subqueries would read all submissions. With more names than `NAMES_MAX` each work
 * is checked instead.
 */
async function search(
  db: Reader,
  references: Reference[],
  key: string,
  filter: SubmissionFilter,
): Promise<FoundSubmissions> {
  const { idsOf, count } = await findNames(db, references, key, filter)
  const conditions = references.flatMap(({ column, table }, index) => {
    const ids = idsOf[index]
    if (!ids)
      return sql`(select ${nameMatchCondition(table.searchText, key)} from ${table} where ${table.id} = ${column})`
    return ids.length === 0 ? [] : sql`${column} = any(${sql.param(ids)}::uuid[])`
  })
  const condition = or(...conditions) ?? sql`false`
  const many = { total: TOTAL_MAX, isTotalCapped: true, condition }
  if (!idsOf.includes(null)) return count > TOTAL_MAX ? many : { ...many, total: count, isTotalCapped: false }
  const parts = references.map((reference) => ({ ...reference, names: selectNames(reference, key) }))
  const conditionForAll = sql`${submissions.id} in (select found.value from (${selectIds(parts, filter)}) as found)`
  if (count > TOTAL_MAX) return { ...many, conditionForAll }
  // Many names with few works: these are quicker to collect than to look for.
  const rows = await db.execute<{ id: string }>(
    sql`select found.value as id from (${selectIds(parts, filter, limited)}) as found`,
  )
  if (rows.length > TOTAL_MAX) return { ...many, conditionForAll }
  const ids = sql.param(rows.map(({ id }) => id))
  return { total: rows.length, isTotalCapped: false, condition: sql`${submissions.id} = any(${ids}::uuid[])` }
}

/** Submissions whose team or challenge name matches. */
export const searchTeamsAndChallenges = (db: Reader, key: string, filter: SubmissionFilter) =>
  search(db, TEAMS_AND_CHALLENGES, key, filter)

/** Also matches the submitter's name or email; only for administrators. */
export const searchAllNames = (db: Reader, key: string, filter: SubmissionFilter) =>
  search(db, WITH_SUBMITTERS, key, filter)
