import { DAY } from '@community/contract/limits'
import { afterAll, expect, it } from 'vitest'
import { TRUST_FORWARDED_FOR } from '../../test/accounts.ts'
import { createToken } from '../../test/personal-token.ts'
import { openTestServer } from '../../test/test-server.ts'
import { deleteExpired } from './expired-commands.ts'
import { housekeepingHandler } from './housekeeping.ts'
import type { Job } from './queue.ts'
import { PostponedJob } from './job-handler.ts'

const server = await openTestServer(TRUST_FORWARDED_FOR)
afterAll(() => server.close())

it('deletes expired rows and no others', async () => {
  const { sql } = server
  const [gone, kept] = [await server.createMember(), await server.createMember()]
  const future = "now() + interval '1 hour'"
  const past = "now() - interval '31 days'"
  for (const [user, until] of [
    [gone, past],
    [kept, future],
  ] as const) {
    const at = sql.unsafe(until)
    await sql`update sessions set expires_at = ${at} where user_id = ${user.id}`
    await sql`update refresh_families set expires_at = ${at} where user_id = ${user.id}`
    await sql`insert into codes (purpose, email, hash, sent_at, expires_at) values ('reset', ${user.email}, '', now(), ${at})`
    await sql`insert into rate_limits (key, count, resets_at) values (${user.email}, 1, ${at})`
    await sql`insert into idempotency_keys (owner, key, call, body_hash, lease_until, expires_at)
      values (${user.id}, 'k', 'c', 'h', now(), ${at})`
    await sql`insert into personal_tokens (user_id, name, hash, scopes, expires_at)
      values (${user.id}, 'Script', ${user.id}, '{read}', ${at})`
    await sql`with hook as (
        insert into webhooks (url, events, secret, created_by) values ('', '{}', '', ${user.id}) returning id)
      insert into webhook_deliveries (webhook_id, event, body, created_at)
        select id, 'ping', ${user.email}, least(now(), ${at}) from hook`
    await sql`insert into jobs (kind, template, recipient, language, payload, status, created_at)
      values ('mail', 'code-reset', ${user.email}, 'en', '', 'done', least(now(), ${at}))`
  }
  const waiting = 'waiting@example.ma'
  await sql`insert into jobs (kind, template, recipient, language, payload, available_at, created_at)
    values ('mail', 'code-reset', ${waiting}, 'en', '', now() + interval '1 day', ${sql.unsafe(past)})`

  const findRemaining = async () =>
    (
      await sql`
        select 'session' as what, user_id::text as whose from sessions union all
        select 'family', user_id::text from refresh_families union all
        select 'refresh token', f.user_id::text from refresh_tokens t join refresh_families f on f.id = t.family_id union all
        select 'code', email from codes union all
        select 'limit', key from rate_limits union all
        select 'key', owner from idempotency_keys union all
        select 'token', user_id::text from personal_tokens union all
        select 'delivery', body from webhook_deliveries union all
        select 'mail', recipient from jobs
        order by 1, 2`
    ).map(({ what, whose }) => `${what} ${whose}`)
  await deleteExpired(server)
  const expected = [
    `code ${kept.email}`,
    `delivery ${kept.email}`,
    `family ${kept.id}`,
    `key ${kept.id}`,
    `limit ${kept.email}`,
    `mail ${kept.email}`,
    `mail ${waiting}`,
    `refresh token ${kept.id}`,
    `session ${kept.id}`,
    `token ${kept.id}`,
  ]
  expect((await findRemaining()).toSorted()).toEqual(expected.toSorted())
  await deleteExpired(server)
  expect((await findRemaining()).toSorted()).toEqual(expected.toSorted())
})

it('deletes any number of expired rows in short batches', async () => {
  const { sql } = server
  const { id } = await server.createMember()
  await sql.unsafe(`
    create function refuse_many() returns trigger language plpgsql as $$
    begin if (select count(*) from gone) > 1000 then raise exception 'too many at once'; end if; return null; end $$`)
  const watched = ['rate_limits', 'refresh_tokens']
  for (const table of watched)
    await sql.unsafe(`create trigger few_at_once after delete on ${table}
      referencing old table as gone for each statement execute function refuse_many()`)
  await sql`insert into rate_limits (key, count, resets_at) select 'old ' || n, 1, now() - interval '1 hour' from generate_series(1, 2500) n`
  await sql`insert into refresh_tokens (hash, family_id, generation, spent_at)
    select 'old ' || n, f.id, n + 1, now() from generate_series(1, 1500) n, refresh_families f where f.user_id = ${id}`
  await server.clock.expireIn(-3600, 'refresh_families', { user_id: id })
  await deleteExpired(server)
  expect(await sql`select 1 from rate_limits where key like 'old %'`).toHaveLength(0)
  expect(await sql`select 1 from refresh_tokens where hash like 'old %'`).toHaveLength(0)
  expect(await sql`select 1 from refresh_families where user_id = ${id}`).toHaveLength(0)
  for (const table of watched) await sql.unsafe(`drop trigger few_at_once on ${table}`)
})

it('keeps an expired session for a day, so that its token is reported as expired', async () => {
  const member = await server.createMember()
  await server.clock.expireIn(-82_800, 'sessions', { user_id: member.id })
  await deleteExpired(server)
  expect((await server.rest(member)('GET /users/profile')).body.code).toBe('TOKEN_EXPIRED')
  await server.clock.expireIn(-90_000, 'sessions', { user_id: member.id })
  await deleteExpired(server)
  expect((await server.rest(member)('GET /users/profile')).body.code).toBe('NOT_SIGNED_IN')
})

it('keeps an expired personal access token for thirty days, in which its owner sees it', async () => {
  const member = await server.createMember()
  const { id } = await createToken(server, member, 'read')
  const remaining = () => server.sql`select 1 from personal_tokens where id = ${id}`
  await server.clock.expireIn(-29 * DAY, 'personal_tokens', { id })
  await deleteExpired(server)
  expect(await remaining()).toHaveLength(1)
  await server.clock.expireIn(-30 * DAY, 'personal_tokens', { id })
  await deleteExpired(server)
  expect(await remaining()).toEqual([])
})

it('cleans the other tables when one fails, and reports the failure', async () => {
  const { sql } = server
  const { id } = await server.createMember()
  await sql`insert into rate_limits (key, count, resets_at) values ('old', 1, now() - interval '1 hour')`
  await server.clock.expireIn(-90_000, 'sessions', { user_id: id })
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'damaged'; end $$;
    create trigger refuse before delete on sessions for each row execute function refuse()`)
  const error: unknown = await deleteExpired(server).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ message: 'the expired rows of 1 tables were not deleted', errors: [expect.any(Error)] })
  expect(await sql`select 1 from rate_limits where key = 'old'`).toEqual([])
  await sql`drop trigger refuse on sessions`
})

it('is left to another process when this one stops', async () => {
  const rows = () => server.sql`select 1 from rate_limits where key = 'old'`
  await server.sql`insert into rate_limits (key, count, resets_at) values ('old', 1, now() - interval '1 hour')`
  const stopped = housekeepingHandler(server.deps, AbortSignal.abort()).run({} as Job, null)
  await expect(stopped).rejects.toBeInstanceOf(PostponedJob)
  expect(await rows()).toHaveLength(1)
  await housekeepingHandler(server.deps, new AbortController().signal).run({} as Job, null)
  expect(await rows()).toEqual([])
})
