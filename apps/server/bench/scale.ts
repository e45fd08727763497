// What must cost the same however much there is: use cases on one connection, against `select 1` on the same one.
import { connect, type Connection } from '@community/db'
import { median } from '@community/testing'
import { findCounts, findScores, findWeeks } from '../src/admin/stats-queries.ts'
import { readCount } from '../src/pagination/counts.ts'
import { findWorks } from '../src/submissions/queries.ts'
import { findSubmissionStats } from '../src/submissions/stats-queries.ts'
import { findTeams, type TeamQuery } from '../src/teams/list-queries.ts'
import { findStandings } from '../src/teams/queries.ts'
import type { Seeded } from './seed.ts'

const teamsPage = { limit: 100, sort: 'points', order: 'desc', search: '', searchDescriptions: false } as const
const works = { page: 1, limit: 12, sort: 'newest' } as const

type Step = () => Promise<unknown>

async function stepsOf({ db }: Connection, { viewerId }: Seeded, teams: number): Promise<Record<string, Step>> {
  const firstPage: TeamQuery = { ...teamsPage, page: 1, includeInactive: false }
  const deep = Math.max(2, Math.floor((teams / 100) * 0.9))
  const before = deep > teams / 100 ? null : await findTeams(db, { ...firstPage, page: deep - 1 })
  const cursor = before?.nextCursor ?? undefined
  return {
    'rank of a team': () => findStandings(db, viewerId, 100),
    totals: () => readCount(db, 'submissions_approved'),
    'admin figures': () => findSubmissionStats(db),
    'admin trends': () => findCounts(db),
    'admin weeks and scores': () => Promise.all([findWeeks(db), findScores(db)]),
    'teams, page 1': () => findTeams(db, firstPage),
    ...(cursor !== undefined && { 'teams, deep page': () => findTeams(db, { ...firstPage, page: deep, cursor }) }),
    'works search, no match': () => findWorks(db, { ...works, search: 'qqqqq' }, null),
    'works search, rare': () => findWorks(db, { ...works, search: 'zellige' }, null),
    'works search, common': () => findWorks(db, { ...works, search: 'challenge' }, null),
  }
}

/** Median milliseconds of each read; null where the database gave it up. */
export type ScaleResult = Record<string, number | null>

const TURNS = 25

/** Reads in turn, one after the other on one connection. */
export async function measureScale(url: string, seeded: Seeded, teams: number): Promise<ScaleResult> {
  const connection = connect(url, { max: 1 })
  try {
    const steps = Object.entries(await stepsOf(connection, seeded, teams))
    const selectOne: [string, Step] = ['select 1', () => connection.sql`select 1`]
    const times = new Map<string, number[] | null>([selectOne, ...steps].map(([name]) => [name, []]))
    // The first five turns prepare and warm: a plan is settled after them.
    for (let turn = -5; turn < TURNS; turn++)
      for (const [name, step] of steps.flatMap((one) => [selectOne, one])) {
        const began = performance.now()
        const isDone =
          times.get(name) !== null &&
          (await step().then(
            () => true,
            () => false,
          ))
        if (!isDone) times.set(name, null)
        else if (turn >= 0) times.get(name)?.push(performance.now() - began)
      }
    return Object.fromEntries([...times].map(([name, of]) => [name, of && median(of)]))
  } finally {
    await connection.close()
  }
}
