import { randomUUID } from 'node:crypto'
import type { Db } from '@community/db'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Fixture, openFixture } from '../../test/fixture.ts'
import { findDeadMails } from '../admin/mail-queries.ts'
import { findAnnouncements } from '../notifications/announcement-commands.ts'
import { markNextNotifications } from '../notifications/inbox-commands.ts'
import { findNotifications } from '../notifications/queries.ts'
import { findDeliveries } from '../webhooks/queries.ts'

let fixture: Fixture
let pool: ReturnType<Fixture['openDirectPool']>
let userId: string
const sent: [statement: string, values: never[]][] = []
beforeAll(async () => {
  fixture = await openFixture()
  userId = (await fixture.createMember()).id
  await fixture.sql`
    with created as (
      insert into teams (name, name_key, description, is_active)
      select 'Atlas ' || n, 'atlas ' || n, '', false from generate_series(1, 1000) n returning id)
    insert into notifications (user_id, kind, params, team_id, is_in_app, mail, push)
    select ${userId}, 'team.member.left', '{}', id, true, 'off', false from created, generate_series(1, 10)`
  await fixture.sql`analyze`
  pool = fixture.openDirectPool({ max: 1 })
  await pool.sql`set plan_cache_mode = force_generic_plan`
  const debug = (_connection: number, statement: string, values: never[]) => sent.push([statement, values])
  Object.assign(pool.sql.options, { debug })
})
afterAll(() => fixture.close())

/** The plan of the first ordered statement that `call` sends, run again in a transaction that is rolled back. */
async function planOf(call: (db: Db) => Promise<unknown>, { disabledPlans = [] }: { disabledPlans?: string[] } = {}) {
  sent.length = 0
  await call(pool.db)
  const [page = '', values = []] = sent.find(([statement]) => statement.includes('order by "')) ?? []
  const lines = await pool.sql.begin(async (tx) => {
    for (const setting of disabledPlans) await tx.unsafe(`set local ${setting} = off`)
    const found = await tx.unsafe(`explain (analyze, timing off) ${page}`, values)
    await tx`rollback and chain`
    return found
  })
  return lines.map((line) => String(line['QUERY PLAN'])).join('\n')
}

it.each([
  { unread: undefined, index: 'notifications_newest' },
  { unread: true, index: 'notifications_unread' },
])('a page of notifications reads and joins only its rows, from $index', async ({ unread, index }) => {
  const { nextCursor } = await findNotifications(pool.db, userId, { limit: 5, unread })
  for (const cursor of [undefined, nextCursor ?? '']) {
    const plan = await planOf((db) => findNotifications(db, userId, { limit: 5, unread, cursor }))
    expect(plan).toContain(`using ${index}`)
    const rows = Array.from(plan.matchAll(/actual rows=(\d+)/g), ([, count]) => Number(count))
    // One more than the limit, to know whether there is a next page.
    expect(Math.max(...rows)).toBe(6)
  }
})

// Their tables are so small that PostgreSQL would not use the indexes.
const disabledPlans = ['enable_seqscan', 'enable_bitmapscan']
it.each([
  ['deliveries', 'webhook_deliveries_newest', (db: Db) => findDeliveries(db, randomUUID(), { page: 1, limit: 5 })],
  ['dead mails', 'jobs_dead', (db: Db) => findDeadMails(db, { page: 1, limit: 5 })],
  ['announcements', 'announcements_newest', (db: Db) => findAnnouncements(db, { page: 1, limit: 5 })],
  [
    'notifications to mark',
    'notifications_unread',
    (db: Db) =>
      db.transaction((tx) =>
        markNextNotifications(tx, randomUUID(), { until: 1_000_000 }, { isRead: true, readAt: null }),
      ),
  ],
] as const)('the list of %s reads %s without sorting', async (_list, index, call) => {
  const plan = await planOf(call, { disabledPlans })
  expect(plan).toContain(`using ${index}`)
  expect(plan).not.toContain('Sort')
})
