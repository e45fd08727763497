import { limits } from '@community/contract'
import type { Reader } from '@community/db'
import { challenges, submissions, teams, users } from '@community/db/schema'
import { and, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { nameMatchCondition, nameCondition } from '../search/search-condition.ts'

/** Up to this many matching names the planner gets their ids, and can use an index. */
const NAMES_MAX = 1000
const TOTAL_MAX = limits.COUNTED_TOTAL_MAX

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
  /** Limits to one team, one challenge, or both. */
  teamOrChallenge?: SQL | undefined
  updatedSince?: SQL | undefined
}
/** Without `updatedSince`, which no order has an index for. */
export const indexCondition = ({ status, teamOrChallenge }: SubmissionFilter): SQL | undefined =>
  and(status && statusCondition(status), teamOrChallenge)

/** The submissions that a search found among those that pass its filter. */
export interface FoundSubmissions {
  total: number
  isTotalCapped: boolean
  condition: SQL
  /** Selects the same submissions by id, for sorting all of them: `condition` would be checked for every one. */
  sortCondition?: SQL | undefined
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
    filter.teamOrChallenge,
    filter.updatedSince,
  )
  const works = sql`select ${value} from ${submissions} where ${where} offset 0`
  return sql`select work.value from (${names} offset 0) as named cross join lateral (${works}) as work (value)`
}
/** Stops one row past the cap. */
const limited = (rows: SQL): SQL => sql`${rows} limit ${TOTAL_MAX + 1}`

const countRows = (rows: SQL): SQL => sql`(select count(*)::int from (${rows}) as counted)`

/** The distinct ids of works. */
const selectSubmissionIds = (parts: NameSearch[], filter: SubmissionFilter, limit = (rows: SQL) => rows): SQL =>
  sql.join(
    parts.map((part) => sql`(${limit(selectWorks(part, filter, sql`${submissions.id}`))})`),
    sql` union `,
  )

/** The first matching names of each table, all of them if there are at most `NAMES_MAX`, and the number of their works, or one more than is counted. */
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
      case when ${sql.join(cappedConditions, sql` or `)} then ${TOTAL_MAX + 1} else ${countRows(selectSubmissionIds(parts, filter, limited))} end as total`)
  return {
    idsOf: references.map((_reference, index) => row?.[`ids_${index}`] as string[] | null),
    count: row?.total as number,
  }
}

/**
 * Finds names first, because an `or` of subqueries would read all submissions. Up to `NAMES_MAX` names select their works by id; of more,
 * each work's name is checked while the list is scanned, and their works are collected (`sortCondition`) where all are sorted.
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
  const many = { total: TOTAL_MAX, isTotalCapped: true, condition: or(...conditions) ?? sql`false` }
  if (!idsOf.includes(null)) return count > TOTAL_MAX ? many : { ...many, total: count, isTotalCapped: false }
  const parts = references.map((reference) => ({ ...reference, names: selectNames(reference, key) }))
  if (count <= TOTAL_MAX) {
    // The first names have few works. So may all have: a scan would read almost all works to find them.
    const rows = await db.execute<{ id: string }>(
      sql`select found.value as id from (${selectSubmissionIds(parts, filter, limited)}) as found`,
    )
    const ids = sql.param(rows.map(({ id }) => id))
    if (rows.length <= TOTAL_MAX)
      return { total: rows.length, isTotalCapped: false, condition: sql`${submissions.id} = any(${ids}::uuid[])` }
  }
  const all = selectSubmissionIds(parts, filter)
  return { ...many, sortCondition: sql`${submissions.id} in (select found.value from (${all}) as found)` }
}

/** Submissions whose team or challenge name matches. */
export const searchTeamsAndChallenges = (db: Reader, key: string, filter: SubmissionFilter) =>
  search(db, TEAMS_AND_CHALLENGES, key, filter)

/** Also matches the submitter's name or email; only for administrators. */
export const searchAllNames = (db: Reader, key: string, filter: SubmissionFilter) =>
  search(db, WITH_SUBMITTERS, key, filter)
