import { openStream } from '@community/testing/event-stream'
import { describe, expect, it } from 'vitest'
import { deliverMails, openMailFixture } from '../../test/notification-mails.ts'
import { digestsHandler } from '../jobs/digests.ts'
import { notificationMailHandler } from '../jobs/notification-mail.ts'
import { startWorker } from '../jobs/worker.ts'

/** A kind that a newer server has written. */
const NEWER = 'team.of-a-later-version'
const fixture = openMailFixture()

async function insert(kind: string, mail = 'instant'): Promise<string> {
  const [row] = await fixture.server.sql`
    insert into notifications (user_id, kind, params, is_in_app, mail, push, created_at)
    values (${fixture.member.id}, ${kind}, '{"warning": "Be kind", "team": "Atlas", "teamId": null}', true, ${mail}, false, now() - interval '25 hours')
    returning id`
  return String(row?.id)
}
const list = async () => (await fixture.server.rest(fixture.member)('GET /notifications')).body.data
const isRead = async (id: string) =>
  (await fixture.server.sql`select read_at is not null as "isRead" from notifications where id = ${id}`)[0]
    ?.isRead as boolean

describe('a kind of notification that only a newer server knows', () => {
  it('is neither listed, counted nor marked as read', async () => {
    const newer = await insert(NEWER)
    const known = await insert('account.warned')
    expect(await list()).toMatchObject({ notifications: [{ _id: known }], unread: 1 })
    await fixture.server.rest(fixture.member)('POST /notifications/read', { until: known, isRead: true })
    expect(await list()).toMatchObject({ notifications: [{ _id: known }], unread: 0 })
    expect([await isRead(newer), await isRead(known)]).toEqual([false, true])
  })

  it('is not streamed', async () => {
    const stream = await openStream(await fixture.server.app.listen({ host: '127.0.0.1', port: 0 }), {
      user: fixture.member,
    })
    await expect.poll(() => stream.of('ready').length).toBe(1)
    await insert(NEWER)
    const known = await insert('account.warned')
    await expect.poll(() => stream.of('notifications').map(({ data }) => data.id)).toEqual([known])
    stream.close()
  })

  it('stays out of digests until a server knows it', async () => {
    const newer = await insert(NEWER, 'daily')
    await insert('team.deactivated', 'daily')
    await digestsHandler(fixture.server.deps, new AbortController().signal).run({} as never, null)
    const mails = await deliverMails(fixture.server, 'notification-digest')
    expect(mails.map(({ subject }) => subject)).toEqual(['1 notification for you'])
    const [row] = await fixture.server.sql`select digest_id from notifications where id = ${newer}`
    expect(row?.digest_id).toBeNull()
  })

  it('keeps its mail for a server that knows it', async () => {
    await fixture.server
      .sql`insert into jobs (kind, key, payload) values ('notification-mail', ${await insert(NEWER)}, '')`
    const worker = startWorker(fixture.server.deps, {
      'notification-mail': notificationMailHandler(fixture.server.deps),
    })
    const job = () => fixture.server.sql`select status, attempts, available_at > now() as later, last_error from jobs`
    await expect.poll(job).toEqual([{ status: 'pending', attempts: 0, later: true, last_error: null }])
    await worker.stop()
  })
})
