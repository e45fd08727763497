import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { openExplainingPool } from '../../test/explaining-pool.ts'
import { openWorkFixture } from '../../test/work-fixture.ts'
import { findSubmissions } from './queries.ts'

const fixture = await openWorkFixture()
const team = await fixture.createTeam()
const { id } = await fixture.createChallenge()
const statuses = ['pending', 'pending', 'approved', 'approved', 'rejected', 'rejected']
await fixture.sql`
  insert into submissions (challenge_id, team_id, type, content, status, score, points, evaluated_at)
  select ${id}, ${team.id}, 'link', 'https://example.ma', status::submission_status,
    case when status = 'approved' then 50 end, case when status = 'approved' then 50 end,
    case when status <> 'pending' then now() end
  from unnest(${statuses}::text[]) status`
const pool = openExplainingPool(fixture)
// The tables are so small that PostgreSQL would not use their indexes.
await pool.sql`set enable_seqscan = off`
await pool.sql`set enable_bitmapscan = off`
afterAll(() => fixture.close())

const LISTS = [
  ['newest', undefined, 'submissions_newest'],
  ['newest', 'pending', 'submissions_waiting'],
  ['newest', 'approved', 'submissions_works_newest'],
  ['newest', 'rejected', 'submissions_rejected'],
  ['oldest', undefined, 'submissions_newest'],
  ['oldest', 'pending', 'submissions_waiting'],
  ['oldest', 'approved', 'submissions_works_newest'],
  ['oldest', 'rejected', 'submissions_rejected'],
  ['highest', undefined, 'submissions_best'],
  ['highest', 'pending', 'submissions_waiting'],
  ['highest', 'approved', 'submissions_works_best'],
  ['highest', 'rejected', 'submissions_rejected'],
] as const

it.each(LISTS)(
  'the administrators’ list, %s first, with status %s, reads %s without sorting or counting',
  async (sort, status, index) => {
    const read = async (cursor?: string) => {
      const list = { sort, status, search: '', page: 1, limit: 1, cursor }
      const { result, statements, plan } = await pool.explain(
        () => findSubmissions(pool.db, list, randomUUID()),
        // They could serve a status too.
        async (tx) => status && (await tx`drop index submissions_newest, submissions_best`),
      )
      const counts = statements.filter((statement) => statement.includes('count('))
      return { nextCursor: result.nextCursor, counts, plan }
    }
    const first = await read()
    const second = await read(first.nextCursor ?? '')
    for (const { plan, counts } of [first, second]) {
      expect(plan).toContain(`using ${index}`)
      expect(plan).not.toContain('Sort')
      expect(counts).toEqual([])
    }
  },
)
