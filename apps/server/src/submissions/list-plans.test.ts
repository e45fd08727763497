import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkFixture, type WorkFixture } from '../../test/work-fixture.ts'
import { findSubmissions } from './queries.ts'

let fixture: WorkFixture
let pool: ReturnType<WorkFixture['openDirectPool']>
const sent: [statement: string, values: never[]][] = []
beforeAll(async () => {
  fixture = await openWorkFixture()
  pool = fixture.openDirectPool({ max: 1 })
  // For a handful of rows a sequential scan is fastest.
  await pool.sql`set enable_seqscan = off`
  await pool.sql`set enable_bitmapscan = off`
  const debug = (_connection: number, statement: string, values: never[]) => sent.push([statement, values])
  Object.assign(pool.sql.options, { debug })
})
afterAll(() => fixture.close())

const SORTS = ['newest', 'oldest', 'highest'] as const
const STATUSES = [undefined, 'pending', 'approved', 'rejected'] as const

it.each(SORTS.flatMap((sort) => STATUSES.map((status) => [sort, status] as const)))(
  'the administrators’ list, %s first, with status %s, reads an index without sorting or counting',
  async (sort, status) => {
    sent.length = 0
    await findSubmissions(pool.db, { sort, status, search: '', page: 1, limit: 10 }, randomUUID())
    const statements = [...sent]
    const [page, values] = statements.find(([statement]) => statement.includes('order by')) ?? ['', []]
    const plan = await pool.sql.unsafe(`explain ${page}`, values)
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).not.toContain('Sort')
    expect(statements.filter(([statement]) => statement.includes('count('))).toEqual([])
  },
)
