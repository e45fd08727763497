import { inTransaction } from '@community/db'
import { afterAll, describe, expect, it } from 'vitest'
import { times } from '../../test/accounts.ts'
import { expectInvariants } from '@community/testing/database/invariants'
import { openTestServer } from '../../test/test-server.ts'
import { readCountedTotal, compactCounts, readCounts } from './counts.ts'

const server = await openTestServer()
afterAll(() => server.close())

const compact = () => inTransaction(server.deps.db, compactCounts)
const countRows = async () => Number((await server.sql`select count(*) from counts`)[0]?.count)

describe('counts', () => {
  it('follow inserts, updates and deletes by any writer', async () => {
    const { sql, deps } = server
    const before = await readCounts(deps.db)
    await sql`insert into users (name, email, search_text) select 'Many', 'many' || n || '@example.ma', '' from generate_series(1, 9) n`
    await sql`update users set is_banned = true, ban_reason = 'spam', banned_at = now() where email in ('many1@example.ma', 'many2@example.ma')`
    await sql`insert into blacklist (email, email_key, reason) values ('many1@example.ma', 'many1@example.ma', 'spam')`
    await sql`delete from users where email in ('many2@example.ma', 'many3@example.ma')`
    const after = await readCounts(deps.db)
    expect(after('users_in_good_standing') - before('users_in_good_standing')).toBe(6)
    expect(after('users_banned') - before('users_banned')).toBe(1)
    const [both] = await readCountedTotal(deps.db, 'users_in_good_standing', 'users_banned')
    expect(both?.total).toBe(Number((await sql`select count(*) from users`)[0]?.count))
  })

  it('of teams get a row for each figure that changes', async () => {
    const { sql } = server
    const { id } = await server.createTeam(await server.createMember())
    const before = await countRows()
    await sql`update teams set points = 5 where id = ${id}`
    expect(await countRows()).toBe(before + 2)
    await sql`update teams set is_active = false where id = ${id}`
    expect(await countRows()).toBe(before + 4)
    // Points that no submission earned are no valid state.
    await sql`update teams set points = 0, is_active = true where id = ${id}`
  })

  it('of submissions that are deleted together get one row for each figure', async () => {
    const { sql, deps } = server
    const [admin, team] = [await server.createAdmin(), await server.createTeam(await server.createMember())]
    const { id } = await server.createChallenge(admin)
    await sql`
      insert into submissions (challenge_id, team_id, type, content, status, score, points, evaluated_at)
      select ${id}, ${team.id}, 'link', 'https://example.ma', status::submission_status,
        case when status = 'approved' then 50 end, case when status = 'approved' then 0 end,
        case when status <> 'pending' then now() end
      from unnest('{approved,approved,approved,rejected,rejected,pending}'::text[]) status`
    const before = await countRows()
    await sql`delete from submissions where challenge_id = ${id}`
    // One for each of the three statuses, the day, the day of the approved ones, the sum of scores, and the scores of the challenge.
    expect(await countRows()).toBe(before + 7)
    await expectInvariants(deps.db)
  })

  it('are unchanged after a rollback', async () => {
    const before = await countRows()
    await expect(
      server.sql.begin(async (sql) => {
        await sql`insert into users (name, email, search_text) values ('Nobody', 'nobody@example.ma', '')`
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await countRows()).toBe(before)
  })

  it('stay correct during concurrent compaction and registrations', async () => {
    const register = (n: number) =>
      server.sql`insert into users (name, email, search_text) values ('One', ${`one${n}@example.ma`}, '')`
    await Promise.all([...times(100, register), ...times(20, compact)])
    await expectInvariants(server.deps.db)
    await compact()
    await expectInvariants(server.deps.db)
    const [several] = await server.sql`select name from counts group by name, key having count(*) > 1`
    expect(several).toBeUndefined()
  })
})
