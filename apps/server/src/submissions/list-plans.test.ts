import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { openWorkFixture } from '../../test/work-fixture.ts'
import { findSubmissions } from './queries.ts'

const sent: [statement: string, values: never[]][] = []
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
const pool = fixture.openDirectPool({ max: 1 })
// The tables are so small that PostgreSQL would not use their indexes.
await pool.sql`set enable_seqscan = off`
await pool.sql`set enable_bitmapscan = off`
const debug = (_connection: number, statement: string, values: never[]) => sent.push([statement, values])
Object.assign(pool.sql.options, { debug })
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
      sent.length = 0
      const list = { sort, status, search: '', page: 1, limit: 1, cursor }
      const { nextCursor } = await findSubmissions(pool.db, list, randomUUID())
      const [page = '', values = []] = sent.find(([statement]) => statement.includes('order by')) ?? []
      const counts = sent.filter(([statement]) => statement.includes('count('))
      const plan = await pool.sql.begin(async (tx) => {
        // They could serve a status too. The transaction that `chain` begins has them again.
        if (status) await tx`drop index submissions_newest, submissions_best`
        const lines = await tx.unsafe(`explain ${page}`, values)
        await tx`rollback and chain`
        return lines.map((line) => line['QUERY PLAN']).join('\n')
      })
      return { nextCursor, counts, plan }
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
