import { expect, it } from 'vitest'
import { notifyOfDeactivation, openMailFixture } from '../../test/notification-mails.ts'
import { digestsHandler } from './digests.ts'
import type { Job } from './queue.ts'
import { PostponedJob } from './job-handler.ts'

const fixture = openMailFixture()
const digestsOf = (stopping: AbortSignal) => digestsHandler(fixture.server.deps, stopping)
const run = async ({ run: runJob }: ReturnType<typeof digestsOf>) => runJob({} as Job, null)
const digestJobs = () => fixture.server.sql`select status from jobs where kind = 'notification-digest'`

it('adds digests for a hundred people at a time, and leaves the others to another process when this one stops', async () => {
  const { sql } = fixture.server
  await sql`
    with people as (
      insert into users (name, email, search_text)
      select 'Member ' || n, 'member' || n || '@example.ma', '' from generate_series(1, 150) n returning id)
    insert into notifications (user_id, kind, params, is_in_app, mail, push, created_at)
    select id, 'account.warned', '{"warning": "Be kind"}', true, 'daily', false, now() - interval '25 hours' from people`
  let looks = 0
  // Stops after the first batch.
  const stopping = {
    get aborted() {
      return looks++ > 0
    },
  } as AbortSignal
  await expect(run(digestsOf(stopping))).rejects.toBeInstanceOf(PostponedJob)
  expect(await digestJobs()).toHaveLength(100)
  await run(digestsOf(new AbortController().signal))
  expect(await digestJobs()).toHaveLength(150)
})

it('adds the digests of other hours when those of some fail, and reports the failure', async () => {
  const { server, member } = fixture
  const later = await server.createMember()
  await server.sql`insert into notification_settings values (${later.id}, 8, 1, null, null, 'UTC')`
  for (const person of [member, later]) await notifyOfDeactivation(server, person, 'Atlas')
  await server.sql`update notifications set mail = 'daily', created_at = created_at - interval '25 hours'`
  await server.sql.unsafe(`
    create function refuse_digest() returns trigger language plpgsql as $$
    begin if new.user_id = '${member.id}' then raise exception 'too slow'; end if; return new; end $$;
    create trigger refuse_digest before update on notifications for each row execute function refuse_digest()`)
  const handler = digestsOf(new AbortController().signal)
  await expect(run(handler)).rejects.toThrow('digests of 1 different hours could not be added')
  expect(await digestJobs()).toHaveLength(1)
  await server.sql`drop trigger refuse_digest on notifications`
  await run(handler)
  expect(await digestJobs()).toHaveLength(2)
})
