import { setTimeout as sleep } from 'node:timers/promises'
import { PASSWORD, until } from '@community/testing'
import { isSuccess, requestOf } from '@community/testing/api-client'
import type { User } from '@community/testing/database/users'
import fc from 'fast-check'
import type { Guarantee } from '../guarantee.ts'
import type { Fixture } from '../harness/fixture.ts'
import { followNotifications } from '../harness/follow-notifications.ts'

const MEMBERS = 5
/** Mails of notifications that a process sends at once (`concurrency` of their job). */
const MAILS_AT_ONCE = 3

/** Sends an announcement to everyone and a warning to one. */
function cause({ client }: Fixture, admin: User, warned: User, round: number) {
  const by = { token: admin.token }
  const announcement = { title: `A${round}`, body: 'Read this.', audience: 'everyone' as const, password: PASSWORD }
  const warning = { userId: warned.id, reason: `W${round}`, password: PASSWORD }
  return Promise.all([
    client.call(requestOf('admin.announce', announcement, by)),
    client.call(requestOf('admin.warn', warning, by)),
  ])
}

/** Causes both and kills the server meanwhile or afterwards; resolves with whether each was acknowledged, and when it was dead. */
async function causeAndKill(fixture: Fixture, admin: User, warned: User, round: number, delay: number) {
  const { server, sql } = fixture
  const responses = cause(fixture, admin, warned, round)
  await sleep(delay)
  await server.end('SIGKILL')
  const [announced, warnedNow] = await responses
  // Nobody runs the jobs of the killed process any more: their leases need not be waited for.
  await sql`update jobs set lease_until = now() where lease_until > now()`
  // A check of the password that was cut off counts as a wrong one.
  await sql`delete from rate_limits`
  const deadAt = performance.now()
  await server.start()
  return { announced: isSuccess(announced), warned: isSuccess(warnedNow), deadAt }
}

/**
 * Mails that came again although no kill can have cut off their acknowledgement: twice from one process, or more from one process
 * than it sends at once.
 */
function needlesslyDoubled(mails: readonly { messageId: string; startedAt: number }[], deaths: readonly number[]) {
  const processOf = (startedAt: number) => deaths.filter((deadAt) => deadAt < startedAt).length
  const senders = new Map<string, number[]>()
  for (const { messageId, startedAt } of mails.filter((mail) => mail.messageId.startsWith('<notification-')))
    senders.set(messageId, [...(senders.get(messageId) ?? []), processOf(startedAt)])
  const cutOff: Record<number, number> = {}
  const wrong: string[] = []
  for (const [messageId, processes] of senders) {
    if (new Set(processes).size < processes.length) wrong.push(`one process sent ${messageId} twice`)
    for (const process of processes.slice(0, -1)) cutOff[process] = (cutOff[process] ?? 0) + 1
  }
  for (const [process, count] of Object.entries(cutOff))
    if (count > MAILS_AT_ONCE) wrong.push(`${count} mails of process ${process} came again`)
  return wrong
}

export const guarantee: Guarantee = {
  id: 'R33',
  statement:
    'A server killed between a cause and its delivery loses and doubles no notification and loses no mail; a mail comes twice only if the kill cut off its acknowledgement',
  async run(context) {
    const { byTier, expect, expectNone, log, openFixture, seed, tier } = context
    const kills = byTier({ short: 5, full: 50, long: 500 })
    const fixture = await openFixture()
    const { mail, sql } = fixture
    const admin = await fixture.createAdmin()
    const members = await fixture.createMembers(MEMBERS)
    const [watched] = members as [User]
    const stream = followNotifications(fixture.server.port, watched)
    const acknowledged = { announcements: [] as number[], warnings: [] as number[] }
    const deaths: number[] = []
    // Measures the requests of a server that has just started, as in each round.
    await fixture.server.end('SIGKILL')
    await fixture.server.start()
    const [announced, warned] = await cause(fixture, admin, watched, kills)
    expect(isSuccess(announced) && isSuccess(warned), 'the measured causes were refused')
    const requestMs = Math.max(announced.took, warned.took)
    // In per cent of a request's time, so that kills fall within and after the requests on a slow machine as on a fast one.
    const percents = fc.record({ within: fc.integer({ min: 10, max: 110 }), after: fc.integer({ min: 200, max: 500 }) })
    const delays = fc.sample(percents, { numRuns: kills, seed })
    for (const [round, delay] of delays.entries()) {
      const percent = round % 2 === 0 ? delay.after : delay.within
      const responses = await causeAndKill(fixture, admin, watched, round, (percent / 100) * requestMs)
      deaths.push(responses.deadAt)
      if (responses.announced) acknowledged.announcements.push(round)
      if (responses.warned) acknowledged.warnings.push(round)
      if ((round + 1) % 50 === 0) log(`${round + 1} kills`)
    }
    await until(
      'every job is done',
      async () => (await sql`select 1 from jobs where status = 'pending' and key is distinct from kind`).length === 0,
      120_000,
    )

    const stored = acknowledged.announcements.length
    expect(stored >= kills / 4, 'few causes were stored: the test proves little')
    expect(tier === 'short' || stored <= kills * 0.9, 'few causes were cut off: the test proves little')
    const rows = await sql<{ id: string; email: string; name: string; mail: string }[]>`
      select n.id, u.email, coalesce(n.params ->> 'title', n.params ->> 'warning') as name, n.mail
      from notifications n join users u on u.id = n.user_id where n.kind in ('announcement', 'account.warned')`
    const of = (email: string, name: string) => rows.filter((row) => row.email === email && row.name === name).length
    const caused = new Set(rows.map(({ name }) => name))
    for (const round of acknowledged.announcements) caused.add(`A${round}`)
    for (const round of acknowledged.warnings) caused.add(`W${round}`)
    for (const name of caused)
      for (const { email } of name.startsWith('A') ? members : [watched])
        expect(of(email, name) === 1, `${name} was notified ${of(email, name)} times to ${email}`)

    const mails = new Map<string, number>()
    for (const { messageId } of mail.mails) mails.set(messageId, (mails.get(messageId) ?? 0) + 1)
    const copiesOf = (id: string) => mails.get(`<notification-${id}@community.example>`) ?? 0
    expectNone(
      rows.filter(({ id }) => copiesOf(id) === 0).map(({ name, email }) => `${name} was not mailed to ${email}`),
    )
    expectNone(needlesslyDoubled(mail.mails, deaths))

    const inApp = await sql<{ id: string }[]>`select id from notifications where user_id = ${watched.id} and is_in_app`
    // Longer than the last poll of the stream.
    await sleep(3000)
    const { ids: received } = await stream.end()
    const repeated = received.length - new Set(received).size
    expect(repeated === 0, `the stream repeated ${repeated} notifications`)
    expectNone(inApp.filter(({ id }) => !received.includes(id)).map(({ id }) => `the stream lost ${id}`))
    return {
      kills,
      'causes acknowledged': acknowledged.announcements.length + acknowledged.warnings.length,
      'causes cut off': 2 * kills - acknowledged.announcements.length - acknowledged.warnings.length,
      notifications: rows.length,
      mails: mail.mails.length,
      'mails sent twice': rows.filter(({ id }) => copiesOf(id) > 1).length,
    }
  },
}
