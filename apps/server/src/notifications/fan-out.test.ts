import { limits } from '@community/contract'
import { inTransaction } from '@community/db'
import { PASSWORD } from '@community/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { deleteExpired } from '../jobs/expired-commands.ts'
import { announcementHandler, challengeRemindersHandler, notifyHandler } from '../jobs/notifications.ts'
import type { Job } from '../jobs/queue.ts'
import { PostponedJob } from '../jobs/job-handler.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'
import { notifyNextBatch } from './audience-commands.ts'
import { NOTIFY_JOB } from './notify-later.ts'
import { ANNOUNCEMENT_JOB } from './publish-announcement.ts'

let server: TestServer
let workers: Worker[]
let admin: TestUser
let chef: TestUser
let member: TestUser
let team: Awaited<ReturnType<TestServer['createTeam']>>
const JOBS_TIMEOUT = { timeout: 10_000 }

beforeAll(async () => {
  server = await openTestServer()
  const handlers = {
    [NOTIFY_JOB]: notifyHandler(server.deps, new AbortController().signal),
    [ANNOUNCEMENT_JOB]: announcementHandler(server.deps, new AbortController().signal),
  }
  // Two workers, like two processes of the server.
  workers = [startWorker(server.deps, handlers), startWorker(server.deps, handlers)]
})
beforeEach(async () => {
  admin = await server.createAdmin()
  chef = await server.createMember()
  member = await server.createMember()
  team = await server.createTeam(chef)
  await server.join(team, member)
  await server.sql`delete from notifications`
})
afterEach(async () => {
  await waitForJobs()
  await server.sql`delete from users`
})
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await server.close()
})

/** Waits until no due job that notifies an audience or publishes an announcement is pending. */
const waitForJobs = () =>
  vi.waitFor(async () => {
    for (const worker of workers) worker.wake()
    const pending = await server.sql`
      select kind from jobs where status = 'pending' and kind in (${NOTIFY_JOB}, ${ANNOUNCEMENT_JOB}) and available_at <= now()`
    expect(pending).toHaveLength(0)
  }, JOBS_TIMEOUT)
async function findNotified(kind: string): Promise<string[]> {
  await waitForJobs()
  const rows = await server.sql<{ user_id: string }[]>`select user_id from notifications where kind = ${kind}`
  return rows.map(({ user_id: id }) => id).toSorted()
}
const idsOf = (...people: TestUser[]) => people.map(({ id }) => id).toSorted()
const post = async (user: TestUser, path: string, body: object) =>
  (await server.rest(user)(`POST ${path}`, body)).status
const put = async (path: string, body: object) =>
  expect((await server.rest(admin)(`PUT ${path}`, { ...body, password: PASSWORD })).status).toBe(200)
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const LINK_WORK = { type: 'link', content: 'https://github.com/atlas-lions/app' }
const remind = async () => {
  await challengeRemindersHandler(server.deps).run({} as Job, null)
  return findNotified('challenge.reminder')
}

describe('a challenge', () => {
  it('is announced to everyone but its author, once', async () => {
    const { id } = await server.createChallenge(admin)
    expect(await findNotified('challenge.published')).toEqual(idsOf(chef, member))
    for (const change of ['deactivate', 'activate'])
      expect(await post(admin, `/admin/challenges/${id}/${change}`, { password: PASSWORD })).toBe(200)
    expect(await findNotified('challenge.published')).toEqual(idsOf(chef, member))
  })

  it('that is deactivated or deleted before its notifications are sent notifies nobody until it is active again', async () => {
    const { id, title, deadline } = await server.createChallenge(admin)
    await waitForJobs()
    await server.sql`delete from notifications`
    const key = `challenge.published:${id}`
    const params = { challenge: title, challengeId: id, deadline }
    const about = { kind: 'challenge.published', params, challengeId: id, actorId: admin.id, key }
    const runLate = () =>
      notifyHandler(server.deps, AbortSignal.abort()).run({} as Job, { audience: { name: 'everyone' }, about })
    await server.sql`update challenges set is_active = false where id = ${id}`
    await runLate()
    expect(await findNotified('challenge.published')).toEqual([])
    expect(await post(admin, `/admin/challenges/${id}/activate`, { password: PASSWORD })).toBe(200)
    expect(await findNotified('challenge.published')).toEqual(idsOf(chef, member))
    await server.sql`delete from notifications`
    await server.sql`delete from challenges where id = ${id}`
    await runLate()
    expect(await findNotified('challenge.published')).toEqual([])
  })

  it('whose deadline moves notifies the teams that applied or asked to be reminded, each time', async () => {
    const stranger = await server.createMember()
    const waiting = await server.createTeam(stranger)
    const { id } = await server.createChallenge(admin)
    expect(await post(chef, `/challenges/${id}/apply`, { teamId: team.id, ...LINK_WORK })).toBe(201)
    expect(await post(stranger, `/challenges/${id}/reminder`, { teamId: waiting.id })).toBe(200)
    await put(`/admin/challenges/${id}`, { deadline: inHours(50) })
    expect(await findNotified('challenge.deadline-moved')).toEqual(idsOf(chef, member, stranger))
    await put(`/admin/challenges/${id}`, { title: 'Only another title' })
    await put(`/admin/challenges/${id}`, { deadline: inHours(60) })
    expect(await findNotified('challenge.deadline-moved')).toHaveLength(6)
  })

  it('whose passed deadline is extended notifies the teams that applied, and is not announced again', async () => {
    const { id } = await server.createChallenge(admin)
    expect(await post(chef, `/challenges/${id}/apply`, { teamId: team.id, ...LINK_WORK })).toBe(201)
    expect(await findNotified('challenge.published')).toEqual(idsOf(chef, member))
    await server.clock.passDeadline(id)
    await put(`/admin/challenges/${id}`, { deadline: inHours(50) })
    expect(await findNotified('challenge.deadline-moved')).toEqual(idsOf(chef, member))
    expect(await findNotified('challenge.published')).toEqual(idsOf(chef, member))
  })
})

describe('a reminder', () => {
  const createReminder = async (hours: number) => {
    const { id } = await server.createChallenge(admin, { deadline: inHours(hours) })
    expect(await post(member, `/challenges/${id}/reminder`, { teamId: team.id })).toBe(200)
    await server.clock.setAge('challenge_reminders', 'created_at', 10 * limits.DAY)
    return id
  }

  it('reaches each member of the team once, however many processes run the job', async () => {
    await createReminder(23.9)
    await Promise.all([remind(), remind(), remind()])
    expect(await remind()).toEqual(idsOf(chef, member))
    const [row] =
      await server.sql`select params ->> 'step' as step from notifications where kind = 'challenge.reminder'`
    expect(row).toEqual({ step: '24-hours' })
  })

  it('is not sent early, late, for a deactivated challenge, or to a team that has applied', async () => {
    // Due 72, 24 and 2 hours before the deadline, and sent at most an eighth of that late.
    await createReminder(30)
    await createReminder(12)
    const applied = await createReminder(1.99)
    expect(await post(chef, `/challenges/${applied}/apply`, { teamId: team.id, ...LINK_WORK })).toBe(201)
    const deactivated = await createReminder(71.9)
    expect(await post(admin, `/admin/challenges/${deactivated}/deactivate`, { password: PASSWORD })).toBe(200)
    expect(await remind()).toEqual([])
  })

  it('is neither sent to a deactivated team nor added for it', async () => {
    const id = await createReminder(23.9)
    const other = await server.createChallenge(admin)
    expect(await post(admin, `/admin/teams/${team.id}/deactivate`, {})).toBe(200)
    expect(await remind()).toEqual([])
    const { body } = await server.rest(member)(`POST /challenges/${other.id}/reminder`, { teamId: team.id })
    expect(body.code).toBe('TEAM_INACTIVE')
    const stop = await server.rest(chef)(`DELETE /challenges/${id}/reminder`, { teamId: team.id })
    expect(stop.status).toBe(200)
  })

  it('is not sent for a step that was due before the team asked, or after the team stopped it', async () => {
    const late = await server.createChallenge(admin, { deadline: inHours(23.9) })
    expect(await post(chef, `/challenges/${late.id}/reminder`, { teamId: team.id })).toBe(200)
    const stopped = await createReminder(1.99)
    await server.clock.setAge('challenge_reminders', 'created_at', 0, { challenge_id: late.id })
    const stop = await server.rest(chef)(`DELETE /challenges/${stopped}/reminder`, { teamId: team.id })
    expect(stop.status).toBe(200)
    expect(await remind()).toEqual([])
  })

  const addReminder = (user: TestUser, challengeId: string, teamId = team.id) =>
    server.rest(user)(`POST /challenges/${challengeId}/reminder`, { teamId })

  it('can be added by any member of the team, and by nobody else', async () => {
    const { id } = await server.createChallenge(admin)
    expect((await addReminder(await server.createMember(), id)).body.code).toBe('NOT_A_MEMBER')
    expect((await addReminder(member, id)).status).toBe(200)
    const { body } = await server.rest(chef)(`GET /challenges/${id}/reminder`)
    expect(body.data).toEqual({ teamIds: [team.id] })
  })

  it('cannot be added for a team that does not exist', async () => {
    const { id } = await server.createChallenge(admin)
    const { body } = await addReminder(member, id, crypto.randomUUID())
    expect(body).toMatchObject({ code: 'TEAM_MISSING', errors: [{ path: 'teamId' }] })
  })

  it('cannot be added once the team has applied, or after the deadline', async () => {
    const { id } = await server.createChallenge(admin)
    expect(await post(chef, `/challenges/${id}/apply`, { teamId: team.id, ...LINK_WORK })).toBe(201)
    expect((await addReminder(member, id)).body.code).toBe('ALREADY_APPLIED')
    await server.clock.passDeadline(id)
    expect((await addReminder(member, id)).body.code).toBe('CHALLENGE_EXPIRED')
  })
})

describe('an announcement', () => {
  const TEXT = { title: 'The jury meets', body: 'On **Friday**' }
  const announce = async (input: object) => {
    const { body } = await server.rest(admin)('POST /admin/announcements', { ...TEXT, password: PASSWORD, ...input })
    return body
  }
  const listAnnouncements = async () => (await server.rest(admin)('GET /admin/announcements')).body.data.announcements
  const countRecipients = async (query: string) =>
    (await server.rest(admin)(`GET /admin/announcements/recipients?${query}`)).body.data.recipients

  it('reaches its audience, as counted before, with its text', async () => {
    const { id } = await server.createChallenge(admin)
    const applicant = await server.createMember()
    const applying = await server.createTeam(applicant)
    expect(await post(applicant, `/challenges/${id}/apply`, { teamId: applying.id, ...LINK_WORK })).toBe(201)
    const audiences: [string, object, TestUser[]][] = [
      ['audience=everyone', { audience: 'everyone' }, [chef, member, applicant]],
      ['audience=chefs', { audience: 'chefs' }, [chef, applicant]],
      [`audience=challenge&challengeId=${id}`, { audience: 'challenge', challengeId: id }, [applicant]],
    ]
    for (const [query, input, people] of audiences) {
      await server.sql`delete from notifications`
      expect(await countRecipients(query)).toBe(people.length)
      await announce(input)
      expect(await findNotified('announcement')).toEqual(idsOf(...people))
      expect((await listAnnouncements())[0]).toMatchObject({ ...TEXT, state: 'sent', recipients: people.length })
    }
    const { body } = await server.rest(applicant)('GET /notifications')
    expect(body.data.notifications[0]).toMatchObject({ text: TEXT.title, detail: TEXT.body, href: `#challenge-${id}` })
  })

  it('waits for its time, and can be deleted until then', async () => {
    const { data } = await announce({ audience: 'everyone', publishAt: inHours(5) })
    const { id } = data.announcement
    expect(await findNotified('announcement')).toEqual([])
    expect((await listAnnouncements())[0]).toMatchObject({ id, state: 'scheduled', recipients: 0 })
    const remove = () => server.rest(admin)(`DELETE /admin/announcements/${id}`, { password: PASSWORD })
    expect((await remove()).status).toBe(200)
    expect((await remove()).body.code).toBe('ANNOUNCEMENT_MISSING')
    await server.clock.makeJobsDue({ kind: ANNOUNCEMENT_JOB, status: 'pending' })
    expect(await findNotified('announcement')).toEqual([])
  })

  it('cannot be deleted once published', async () => {
    const { data } = await announce({ audience: 'chefs' })
    await waitForJobs()
    const path = `DELETE /admin/announcements/${data.announcement.id}` as const
    expect((await server.rest(admin)(path, { password: PASSWORD })).body.code).toBe('ANNOUNCEMENT_SENT')
  })

  it('cannot be scheduled for the past, or for a time beyond the year 9999 in UTC', async () => {
    expect(await announce({ audience: 'chefs', publishAt: inHours(-1) })).toMatchObject({ code: 'PUBLISH_AT_PAST' })
    expect(await announce({ audience: 'chefs', publishAt: '9999-12-31T23:59:59-01:00' })).toMatchObject({
      code: 'VALIDATION',
      errors: [{ path: 'publishAt', msg: 'Not a valid date and time' }],
    })
  })

  const challengeError = (code: string, text: object = {}) => ({ code, errors: [{ path: 'challengeId', ...text }] })
  it.each([
    [
      'the teams of a missing challenge',
      { audience: 'challenge', challengeId: crypto.randomUUID() },
      challengeError('CHALLENGE_MISSING'),
    ],
    [
      'the teams of no challenge',
      { audience: 'challenge' },
      challengeError('VALIDATION', { msg: 'Choose a challenge' }),
    ],
    [
      'chefs with a challenge',
      { audience: 'chefs', challengeId: crypto.randomUUID() },
      challengeError('VALIDATION', { msg: 'Choose a challenge only for the audience of its teams' }),
    ],
  ])('cannot be for %s', async (_audience, input, error) => expect(await announce(input)).toMatchObject(error))

  it('reaches everybody once in batches, also when its job starts again in the middle', async () => {
    await Promise.all(Array.from({ length: 5 }, () => server.createMember()))
    const about = { kind: 'announcement', params: {}, actorId: null, key: 'announcement:1' } as never
    const next = (after?: string) =>
      inTransaction(server.db, (tx) => notifyNextBatch(tx, { name: 'everyone' }, about, { after, batch: 3 }))
    const first = await next()
    expect(first.added).toBe(3)
    expect(await next()).toEqual({ last: first.last, added: 0 })
    let [added, { last }] = [first.added, first]
    while (last !== undefined) {
      const batch = await next(last)
      added += batch.added
      last = batch.last
    }
    expect(added).toBe(8)
  })

  it('is interrupted after a batch when its process stops, and continued by another', async () => {
    await server.sql`insert into users (name, email, search_text)
      select 'Member ' || n, 'member' || n || '@example.ma', '' from generate_series(1, 600) n`
    const { data } = await announce({ audience: 'everyone', publishAt: inHours(5) })
    const [job] = await server.sql<
      Job[]
    >`select id, kind, lease_until as "leaseUntil" from jobs where kind = ${ANNOUNCEMENT_JOB}
      and status = 'pending'`
    const stopping = announcementHandler(server.deps, AbortSignal.abort()).run(job as Job, data.announcement)
    await expect(stopping).rejects.toBeInstanceOf(PostponedJob)
    const [interrupted] = await listAnnouncements()
    expect(interrupted).toMatchObject({ state: 'sending' })
    expect(interrupted?.recipients).toBeGreaterThan(0)
    expect(interrupted?.recipients).toBeLessThan(602)
    await server.clock.makeJobsDue({ kind: ANNOUNCEMENT_JOB, status: 'pending' })
    expect(await findNotified('announcement')).toHaveLength(602)
    expect((await listAnnouncements())[0]).toMatchObject({ state: 'sent', recipients: 602 })
  })
})

it('housekeeping deletes notifications after 90 days', async () => {
  for (const days of [89, 91])
    await server.sql`insert into notifications (user_id, kind, params, is_in_app, mail, push, created_at)
      values (${chef.id}, 'account.warned', '{"warning": "Spam"}', true, 'off', false, now() - make_interval(days => ${days}))`
  await deleteExpired(server.deps)
  expect(await server.sql`select 1 from notifications`).toHaveLength(1)
})
