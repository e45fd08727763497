import { randomUUID } from 'node:crypto'
import type { Db } from '@community/db'
import { afterAll, expect, it } from 'vitest'
import { openExplainingPool } from '../../test/explaining-pool.ts'
import { openFixture } from '../../test/fixture.ts'
import { findDeadMails } from '../admin/mail-queries.ts'
import { findAnnouncements } from '../notifications/announcement-commands.ts'
import { markNextNotifications } from '../notifications/inbox-commands.ts'
import { findNotifications } from '../notifications/queries.ts'
import { findDeliveries } from '../webhooks/queries.ts'

const fixture = await openFixture()
const { id: userId } = await fixture.createMember()
await fixture.sql`
  with created as (
    insert into teams (name, name_key, description, is_active)
    select 'Atlas ' || n, 'atlas ' || n, '', false from generate_series(1, 1000) n returning id)
  insert into notifications (user_id, kind, params, team_id, is_in_app, mail, push)
  select ${userId}, 'team.member.left', '{}', id, true, 'off', false from created, generate_series(1, 10)`
await fixture.sql`analyze`
const pool = openExplainingPool(fixture)
await pool.sql`set plan_cache_mode = force_generic_plan`
afterAll(() => fixture.close())

it.each([
  { unread: undefined, index: 'notifications_newest' },
  { unread: true, index: 'notifications_unread' },
])('a page of notifications reads and joins only its rows, from $index', async ({ unread, index }) => {
  const { nextCursor } = await findNotifications(pool.db, userId, { limit: 5, unread })
  for (const cursor of [undefined, nextCursor ?? '']) {
    const list = { limit: 5, unread, cursor }
    const { plan } = await pool.explain(
      () => findNotifications(pool.db, userId, list),
      async () => {},
    )
    expect(plan).toContain(`using ${index}`)
    const rows = Array.from(plan.matchAll(/actual rows=(\d+)/g), ([, count]) => Number(count))
    // One more than the limit, to know whether there is a next page.
    expect(Math.max(...rows)).toBe(6)
  }
})

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
  const { plan } = await pool.explain<unknown>(
    () => call(pool.db),
    // The tables are so small that PostgreSQL would not use their indexes.
    async (tx) => {
      await tx`set local enable_seqscan = off`
      await tx`set local enable_bitmapscan = off`
    },
  )
  expect(plan).toContain(`using ${index}`)
  expect(plan).not.toContain('Sort')
})
