import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, NoAnswer } from '../harness/client.ts'
import type { MailSink } from '@community/testing/mail-sink'
import type { Person } from '../harness/people.ts'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, timeLimit, type Guarantee } from '../guarantee.ts'

/** Milliseconds: an answer never waits for the mail server; a mail is there so soon after the server is back. */
const LIMITS = { answer: 3000, back: 60_000 }

/** Asks for a new password of each person: a mail for each is queued with its code. */
async function askForMails(
  fixture: Fixture,
  client: Client,
  people: Person[],
  within: number,
  violations: string[],
): Promise<void> {
  for (const [number, { email }] of people.entries()) {
    const headers = { 'x-forwarded-for': `203.0.113.${(number % 250) + 1}` }
    const answer = await client.call('POST /auth/forgot-password', { body: { email }, headers })
    if (answer.status !== 200)
      violations.push(`a mail server in trouble: ${answer.status} ${JSON.stringify(answer.body)}`)
    if (answer.took > within) violations.push(`an answer waited ${Math.round(answer.took)} ms for a mail`)
  }
  const [row] =
    await fixture.sql`select count(*)::int as n from jobs where recipient = any(${people.map(({ email }) => email)})`
  if (row?.n !== people.length) violations.push(`${row?.n} mails were queued for ${people.length} people`)
}

/** Milliseconds until each of them has a mail. */
async function untilMailed(mail: MailSink, people: Person[]): Promise<number> {
  const began = performance.now()
  const isMissing = ({ email }: Person) => mail.mailsTo(email).length === 0
  while (people.some(isMissing)) {
    if (performance.now() - began > LIMITS.back + 30_000)
      throw new NoAnswer(`${people.filter(isMissing).length} mails never came`)
    await sleep(20)
  }
  return performance.now() - began
}

/** What is left in the queue of these people's mails, by status. */
const statusesOf = async (fixture: Fixture, people: Person[]): Promise<string[]> =>
  (
    await fixture.sql<{ status: string }[]>`
      select distinct status from jobs where recipient = any(${people.map(({ email }) => email)}) order by 1`
  ).map(({ status }) => status)

async function untilStatuses(fixture: Fixture, people: Person[], wanted: string): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await sleep(50))
    if (String(await statusesOf(fixture, people)) === wanted) return
  throw new NoAnswer(`mails are ${String(await statusesOf(fixture, people))}, not ${wanted}`)
}

/** No mail twice, but where the server took one and never said so: then both have one Message-ID. */
function duplicates({ mails }: MailSink, mayRepeat: Set<string>): string[] {
  const [seen, found] = [new Map<string, string>(), [] as string[]]
  for (const { to, messageId } of mails) {
    const before = seen.get(to)
    if (before !== undefined && before !== messageId) found.push(`two mails of different ids to ${to}`)
    else if (before !== undefined && !mayRepeat.has(to)) found.push(`a mail came twice to ${to}`)
    seen.set(to, messageId)
  }
  return found
}

export const guarantee: Guarantee = {
  id: 'R10',
  statement: 'A mail server that is away, busy, silent or refuses holds nobody up; every mail comes once it is back',
  async run(context) {
    const { violations } = context
    const [each, downFor] = byTier(context, { short: [3, 3000], full: [20, 600_000], long: [20, 600_000] } as const)
    const fixture = await context.open()
    const { mail, people, sql } = fixture
    const { client } = fixture
    const [away, late, busy, silent, refused] = await Promise.all(Array.from({ length: 5 }, () => people.members(each)))
    if (!away || !late || !busy || !silent || !refused) throw new Error('five groups were made')

    await mail.shut()
    await askForMails(fixture, client, [...away, ...late], timeLimit(context, LIMITS.answer), violations)
    // Too late for these: what they were to say is no longer true.
    await sql`update jobs set expires_at = now() where recipient = any(${late.map(({ email }) => email)})`
    // A code is good for five minutes: these stand for mails without an end.
    await sql`update jobs set expires_at = null where recipient = any(${away.map(({ email }) => email)})`
    await sleep(downFor)
    await mail.open()
    const backAfter = await untilMailed(mail, away)
    if (backAfter > timeLimit(context, LIMITS.back))
      violations.push(`mails came only ${Math.round(backAfter)} ms after the server was back`)
    await untilStatuses(fixture, late, 'dead')
    if (late.some(({ email }) => mail.mailsTo(email).length > 0)) violations.push('an expired code was sent')

    mail.mood = 451
    await askForMails(fixture, client, busy, timeLimit(context, LIMITS.answer), violations)
    await sleep(1500)
    mail.mood = 'takes'
    await untilStatuses(fixture, busy, 'done')
    // Silence is waited out for ten seconds.
    const silenced = context.tier === 'short' ? [] : silent.slice(0, 6)
    mail.mood = 'silent'
    await askForMails(fixture, client, silenced, timeLimit(context, LIMITS.answer), violations)
    await untilMailed(mail, silenced)
    mail.mood = 'takes'
    if (silenced.length > 0) await untilStatuses(fixture, silenced, 'done')

    mail.mood = 550
    await askForMails(fixture, client, refused, timeLimit(context, LIMITS.answer), violations)
    await untilStatuses(fixture, refused, 'dead')
    const admin = await people.admin()
    const { body } = await client.call('GET /admin/mails?limit=50', { token: admin.token })
    const shown = new Set((body?.data?.mails ?? []).map(({ recipient }: { recipient: string }) => recipient))
    for (const { email } of refused)
      if (!shown.has(email)) violations.push('administrators are not shown a refused mail')

    violations.push(
      ...duplicates(mail, new Set(silenced.map(({ email }) => email))),
      ...(await fixture.brokenInvariants()),
    )
    return {
      'mails asked for': each * 4 + silenced.length,
      'the server was away': `${downFor} ms`,
      'all delivered after its return': `${Math.round(backAfter)} ms`,
      'sent again after silence, under one id': mail.mails.length - new Set(mail.mails.map(({ to }) => to)).size,
    }
  },
}
