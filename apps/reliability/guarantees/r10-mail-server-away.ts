import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@community/contract'
import { type Guarantee, type GuaranteeContext, inMs } from '../guarantee.ts'
import { until } from '@community/testing'
import { describeResponse, isSuccess, requestOf, fromNewAddress } from '@community/testing/api-client'
import type { Fixture } from '../harness/fixture.ts'

/** Milliseconds: a response, which never waits for the mail server, and a delivery after the mail server's return. */
const LIMITS = { answer: 3000, back: 60_000 }

/** Requests a password reset for each member: each queues a mail with a code. */
async function requestMails({ client, sql }: Fixture, { expect, expectWithin }: GuaranteeContext, emails: string[]) {
  for (const email of emails) {
    const response = await client.call(fromNewAddress(requestOf('auth.forgotPassword', { email })))
    expect(isSuccess(response), `a code is asked for: ${describeResponse(response)}`)
    expectWithin(LIMITS.answer, response.took, 'an answer that queues a mail')
  }
  const queued = await sql`select 1 from jobs where recipient = any(${emails})`
  expect(queued.length === emails.length, `${queued.length} mails were queued for ${emails.length} people`)
}

const untilMailed = ({ mail }: Fixture, emails: string[]): Promise<number> =>
  until('every mail comes', () => emails.every((email) => mail.mailsTo(email).length > 0), LIMITS.back + 30_000)

/** Waits until all mails to these addresses have this status. */
const untilStatus = ({ sql }: Fixture, emails: string[], status: string): Promise<number> =>
  until(`every mail is ${status}`, async () => {
    const others = await sql`select 1 from jobs where recipient = any(${emails}) and status::text <> ${status} limit 1`
    return others.length === 0
  })

export const guarantee: Guarantee = {
  id: 'R10',
  statement:
    'A mail server that is down, busy, silent or rejects mails delays no request; every mail is delivered once it is back',
  async run(context) {
    const { byTier, expect, expectWithin, openFixture, tier } = context
    const [each, downFor] = [byTier({ short: 3, full: 20 }), byTier({ short: 3000, full: 600_000 })]
    const fixture = await openFixture()
    const { client, clock, mail } = fixture
    const createEmails = async () => (await fixture.createMembers(each)).map(({ email }) => email)
    const [away, late, busy, refused] = await Promise.all([
      createEmails(),
      createEmails(),
      createEmails(),
      createEmails(),
    ])
    // The server waits ten seconds for a silent mail server, for each mail.
    const silent = tier === 'short' ? [] : (await createEmails()).slice(0, 6)

    await mail.shut()
    await requestMails(fixture, context, [...away, ...late])
    // An expired code must not be sent; the other codes outlive the test.
    await clock.expire('jobs', { recipient: late })
    await clock.expireIn(limits.DAY, 'jobs', { recipient: away })
    await sleep(downFor)
    await mail.open()
    const back = await untilMailed(fixture, away)
    expectWithin(LIMITS.back, back, 'the mail after the server was back')
    await untilStatus(fixture, late, 'dead')
    expect(late.flatMap((email) => mail.mailsTo(email)).length === 0, 'an expired code was sent')

    mail.behaviour = 451
    await requestMails(fixture, context, busy)
    await until('every mail is refused once', () => mail.refused.size === busy.length)
    mail.behaviour = 'accepts'
    await untilStatus(fixture, busy, 'done')

    mail.behaviour = 'silent'
    await requestMails(fixture, context, silent)
    await untilMailed(fixture, silent)
    mail.behaviour = 'accepts'
    await untilStatus(fixture, silent, 'done')

    mail.behaviour = 550
    await requestMails(fixture, context, refused)
    await untilStatus(fixture, refused, 'dead')
    const { token } = await fixture.createAdmin()
    const { body } = await client.call('GET /admin/mails?limit=50', { token })
    const shown = new Set((body?.data?.mails ?? []).map(({ recipient }: { recipient: string }) => recipient))
    for (const email of refused) expect(shown.has(email), 'administrators are not shown a refused mail')

    for (const email of new Set(mail.mails.map(({ to }) => to))) {
      const mails = mail.mailsTo(email)
      // A mail server that accepts a mail without confirming gets it again, with the same Message-ID.
      expect(mails.length === 1 || silent.includes(email), `a mail came twice to ${email}`)
      expect(new Set(mails.map(({ messageId }) => messageId)).size === 1, `two mails of different ids to ${email}`)
    }
    return { 'mails of each kind': each, 'the server was away': inMs(downFor), 'all delivered within': inMs(back) }
  },
}
