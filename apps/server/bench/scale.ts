// Use cases whose cost must not grow with the data, on one connection, against `select 1` on the same one.
import { connect, type Connection } from '@community/db'
import { median } from '@community/testing'
import { findCounts, findScores, findWeeks } from '../src/admin/stats-queries.ts'
import { readCountedTotal } from '../src/pagination/counts.ts'
import { findWorks } from '../src/submissions/queries.ts'
import { findSubmissionStats } from '../src/submissions/stats-queries.ts'
import { findTeams, type TeamQuery } from '../src/teams/list-queries.ts'
import { findStandings } from '../src/teams/leaderboard-queries.ts'
import type { Figures } from './driver.ts'
import type { Seeded } from './seed.ts'

const PAGE_SIZE = 100
const TEAMS_PAGE: TeamQuery = {
  page: 1,
  limit: PAGE_SIZE,
  sort: 'points',
  order: 'desc',
  search: '',
  searchesDescriptions: false,
  includeInactive: false,
}
const WORKS_PAGE = { page: 1, limit: 12, sort: 'newest' } as const

type Step = () => Promise<unknown>

/** The page at nine tenths of the list; undefined if there is only one page. */
async function deepPageOf({ db }: Connection, teams: number): Promise<TeamQuery | undefined> {
  const page = Math.floor((teams / PAGE_SIZE) * 0.9)
  if (page < 2) return undefined
  let cursor: string | undefined
  // From cursor to cursor, because offsets have a limit.
  for (let passed = 1; passed < page; passed++) {
    const { nextCursor } = await findTeams(db, { ...TEAMS_PAGE, ...(cursor !== undefined && { cursor }) })
    if (nextCursor === null) throw new Error(`the list ended on page ${passed} of ${page}`)
    cursor = nextCursor
  }
  return { ...TEAMS_PAGE, page, ...(cursor !== undefined && { cursor }) }
}

async function stepsOf(connection: Connection, { viewerId }: Seeded, teams: number): Promise<Record<string, Step>> {
  const { db } = connection
  const deepPage = await deepPageOf(connection, teams)
  const search = (words: string) => () => findWorks(db, { ...WORKS_PAGE, search: words }, null)
  return {
    'rank of a team': () => findStandings(db, viewerId, 100),
    totals: () => readCountedTotal(db, 'submissions_approved'),
    'admin figures': () => findSubmissionStats(db),
    'admin trends': () => findCounts(db),
    'admin weeks and scores': () => Promise.all([findWeeks(db), findScores(db)]),
    'teams, page 1': () => findTeams(db, TEAMS_PAGE),
    ...(deepPage && { 'teams, deep page': () => findTeams(db, deepPage) }),
    'works search, no match': search('qqqqq'),
    'works search, rare': search('zellige'),
    'works search, all challenges': search('challenge'),
    'works search, all teams': search('team'),
    'teams search, all teams': () => findTeams(db, { ...TEAMS_PAGE, search: 'team' }),
  }
}

const ROUNDS = 25
/** PostgreSQL chooses between custom and generic plans in these rounds, so they are not measured. */
const WARM_UP_ROUNDS = 5

/** The median time of each use case in milliseconds, one after the other on one connection; Infinity after a timeout. */
export async function measureScale(url: string, seeded: Seeded, teams: number): Promise<Figures> {
  const connection = connect(url, { max: 1 })
  try {
    const selectOne: [string, Step] = ['select 1', () => connection.sql`select 1`]
    const steps = Object.entries(await stepsOf(connection, seeded, teams))
    const times = new Map<string, number[]>([selectOne, ...steps].map(([name]) => [name, []]))
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++)
      for (const [name, step] of steps.flatMap((item) => [selectOne, item])) {
        const startedAt = performance.now()
        const took = await step().then(
          () => performance.now() - startedAt,
          () => Infinity,
        )
        if (round >= 0) times.get(name)?.push(took)
      }
    return Object.fromEntries([...times].map(([name, of]) => [name, median(of)]))
  } finally {
    await connection.close()
  }
}
