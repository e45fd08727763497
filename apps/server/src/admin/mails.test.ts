import { uniqueEmail } from '@community/testing'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { countOutcomes, times } from '../../test/accounts.ts'
import { openTestServer, type TestUser } from '../../test/test-server.ts'

const server = await openTestServer()
const admin = await server.createAdmin()
beforeEach(() => server.sql`delete from jobs`)
afterAll(() => server.close())

/** Inserts a dead mail whose code is valid for `secondsLeft`. */
async function createDeadMail(recipient = uniqueEmail(), { code = '042137', secondsLeft = 200, minutesOld = 1 } = {}) {
  const id = randomUUID()
  await server.sql`
    insert into jobs (kind, id, template, recipient, language, payload, status, attempts, last_error, created_at, expires_at)
    values ('mail', ${id}, 'code-sign-in', ${recipient}, 'fr', ${server.deps.secret.seal(JSON.stringify({ code }))}, 'dead', 10,
      'connect ECONNREFUSED', now() - make_interval(mins => ${minutesOld}), now() + make_interval(secs => ${secondsLeft}))`
  return id
}
const list = async (query = '') => (await server.rest(admin)(`GET /admin/mails${query}`)).body.data
const retry = (id: string) => server.rest(admin)(`POST /admin/mails/${id}/retry`)
/** Inserts a notification and the job of its mail, or of a digest that contains it, which the mail server has rejected for good. */
async function createDeadNotification(user: TestUser, kind: string, { isDigest = false } = {}) {
  const digestId = isDigest ? randomUUID() : null
  const [notification] = await server.sql<{ id: string }[]>`
    insert into notifications (user_id, kind, params, is_in_app, mail, push, digest_id) values (${user.id}, ${kind},
      '{"team": "Atlas Lions", "teamId": "0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11"}', true, 'daily', false, ${digestId}) returning id`
  const [job] = await server.sql<{ id: string }[]>`
    insert into jobs (kind, key, payload, status, attempts, last_error) values (
      ${isDigest ? 'notification-digest' : 'notification-mail'}, ${digestId ?? notification?.id ?? ''}, '', 'dead', 1, '550 No such user')
    returning id`
  return job?.id ?? ''
}
const row = async (id: string) => (await server.sql`select * from jobs where id = ${id}`)[0]

describe('dead mails', () => {
  it('are listed newest first, paged, without their content', async () => {
    const ids: string[] = []
    for (const minutesOld of [3, 1, 2]) ids.push(await createDeadMail(uniqueEmail(), { minutesOld }))
    await server.sql`insert into jobs (kind, template, recipient, language, payload, status)
      values ('mail', 'code-reset', 'sent@example.ma', 'en', '', 'done')`
    await server.sql`insert into jobs (kind, template, recipient, language, payload, available_at)
      values ('mail', 'code-reset', 'waits@example.ma', 'en', 'x', now() + interval '1 hour')`
    const first = await list('?limit=2')
    expect(first.mails.map(({ id }: { id: string }) => id)).toEqual([ids[1], ids[2]])
    expect(first.pagination).toMatchObject({ page: 1, limit: 2, total: 3, totalPages: 2 })
    expect(first.mails[0]).toEqual({
      id: ids[1],
      _id: ids[1],
      template: 'code-sign-in',
      recipient: expect.stringContaining('@example.ma') as string,
      language: 'fr',
      attempts: 10,
      lastError: 'connect ECONNREFUSED',
      createdAt: expect.any(String) as string,
    })
    expect((await list('?limit=2&page=2')).mails.map(({ id }: { id: string }) => id)).toEqual([ids[0]])
    expect((await server.trpc(admin, 'admin.mails', {})).data.pagination.total).toBe(3)
  })

  it('include mails with notifications, which can be retried', async () => {
    const user = await server.createMember()
    const { email } = user
    const instant = await createDeadNotification(user, 'account.warned')
    const digest = await createDeadNotification(user, 'account.warned', { isDigest: true })
    await server.sql`insert into jobs (kind, key, payload, status, attempts, last_error)
      values ('webhook', 'another', '', 'dead', 1, '550 No such user')`
    const { mails } = await list()
    expect(mails).toHaveLength(2)
    expect(mails).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: instant, template: 'notification-mail', recipient: email, language: 'en' }),
        expect.objectContaining({ id: digest, template: 'notification-digest', recipient: email, language: 'en' }),
      ]),
    )
    expect((await retry(digest ?? '')).status).toBe(200)
    expect(await row(digest ?? '')).toMatchObject({ status: 'pending', attempts: 0 })
  })

  it('are for administrators only', async () => {
    const id = await createDeadMail()
    const member = await server.createMember()
    for (const [user, status] of [
      [member, 403],
      [null, 401],
    ] as const) {
      expect((await server.rest(user)('GET /admin/mails')).status).toBe(status)
      expect((await server.rest(user)(`POST /admin/mails/${id}/retry`)).status).toBe(status)
      expect((await server.trpc(user, 'admin.mails', {})).status).toBe(status)
      expect((await server.trpc(user, 'admin.retryMail', { id })).status).toBe(status)
    }
    expect((await row(id))?.['status']).toBe('dead')
  })

  it('are delivered unchanged with the same message id after a retry, which is audited', async () => {
    const email = uniqueEmail()
    const id = await createDeadMail(email)
    expect(await retry(id)).toMatchObject({ status: 200, body: { message: 'The email will be sent again', data: {} } })
    const mail = await server.waitForMail(email)
    expect(mail.subject).toBe('042137\u202f: votre code de connexion')
    expect(mail.messageId).toContain(id)
    await expect.poll(async () => (await row(id))?.['status']).toBe('done')
    expect(await row(id)).toMatchObject({ attempts: 1, payload: '' })
    expect((await list()).mails).toEqual([])
    const entries =
      await server.sql`select actor_id, action, target_type, details from audit_log where target_id = ${id}`
    expect(entries).toEqual([
      {
        actor_id: admin.id,
        action: 'admin.retryMail',
        target_type: 'mail',
        details: { template: 'code-sign-in', lastError: 'connect ECONNREFUSED' },
      },
    ])
  })

  it('cannot be retried after their code expired', async () => {
    const late = await createDeadMail(uniqueEmail(), { secondsLeft: -1 })
    expect(await retry(late)).toMatchObject({ status: 409, body: { code: 'MAIL_EXPIRED', expired: true } })
    expect((await server.trpc(admin, 'admin.retryMail', { id: late })).failure.code).toBe('MAIL_EXPIRED')
    expect((await row(late))?.['status']).toBe('dead')
    expect(await server.sql`select 1 from audit_log where target_id = ${late}`).toEqual([])
  })

  it('cannot be retried if they would not be sent: paused, unwanted, read, or without an account', async () => {
    const pause = (user: TestUser) => server.sql`
      insert into mail_bounces (user_id, email, failures, paused_at) values (${user.id}, ${user.email}, 3, now())`
    const obstacles = {
      paused: pause,
      unwanted: (user: TestUser) =>
        server.sql`insert into notification_preferences values (${user.id}, 'team.deactivated', true, 'off', true)`,
      read: (user: TestUser) => server.sql`update notifications set read_at = now() where user_id = ${user.id}`,
      deleted: (user: TestUser) => server.sql`delete from users where id = ${user.id}`,
    }
    for (const [name, apply] of Object.entries(obstacles)) {
      const user = await server.createMember()
      const mails = [
        await createDeadNotification(user, 'team.deactivated'),
        await createDeadNotification(user, 'team.deactivated', { isDigest: true }),
      ]
      await apply(user)
      for (const id of mails) {
        expect([name, await retry(id)]).toMatchObject([name, { status: 409, body: { code: 'MAIL_UNWANTED' } }])
        expect((await row(id))?.['status']).toBe('dead')
      }
    }
    // Kinds that concern safety are sent to everybody.
    const warned = await server.createMember()
    const id = await createDeadNotification(warned, 'account.warned')
    await pause(warned)
    expect((await retry(id)).status).toBe(200)
  })

  it('answer 404 for an unknown id', async () => {
    const [sent] = await server.sql`insert into jobs (kind, template, recipient, language, payload, status)
      values ('mail', 'code-reset', 'sent@example.ma', 'en', '', 'done') returning id`
    for (const id of [randomUUID(), String(sent?.['id'])])
      expect(await retry(id)).toMatchObject({ status: 404, body: { code: 'MAIL_MISSING' } })
  })

  it('are sent once after twenty concurrent retries', async () => {
    const email = uniqueEmail()
    const id = await createDeadMail(email)
    expect(await countOutcomes(times(20, () => retry(id)))).toEqual({ 200: 1, '404 MAIL_MISSING': 19 })
    await expect.poll(async () => (await row(id))?.['status']).toBe('done')
    expect(server.caughtMails().filter(({ to }) => to.includes(email))).toHaveLength(1)
  })
})
