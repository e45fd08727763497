import { LANGUAGES } from '@community/contract'
import { inTransaction } from '@community/db'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { deliverMails, notifyOfDeactivation, TEAM_ID, openMailFixture } from '../../test/notification-mails.ts'
import type { TestUser } from '../../test/test-server.ts'
import { insertDigests } from '../notifications/digest-commands.ts'
import { insertNotification } from '../notifications/commands.ts'
import { digestsHandler } from './digests.ts'

const fixture = openMailFixture()
beforeEach(() => prefer(fixture.member, 'daily'))

const prefer = ({ id }: TestUser, mail: string) => fixture.server.sql`
  insert into notification_preferences values (${id}, 'team.deactivated', true, ${mail}, true)
  on conflict (user_id, kind) do update set mail = excluded.mail`
const notifyOf = (team: string, person = fixture.member) => notifyOfDeactivation(fixture.server, person, team)
/** An hour of the day (UTC): −1 began one to two hours ago, 1 begins within an hour. */
const hour = (shift: number) => new Date(Date.now() + shift * 3_600_000).getUTCHours()
/** Makes all notifications a day older: a daily digest has been due since they were written. */
const waitADay = () => fixture.server.sql`update notifications set created_at = created_at - interval '25 hours'`
const addDigests = () => digestsHandler(fixture.server.deps, new AbortController().signal).run({} as never, null)
const digestJobs = () => fixture.server.sql`select status from jobs where kind = 'notification-digest'`
const deliver = () => deliverMails(fixture.server, 'notification-digest')

describe('digests', () => {
  it('mail the notifications written before their time, once, in one mail', async () => {
    await notifyOf('Atlas <Lions>')
    await notifyOf('Atlas <Lions>')
    await waitADay()
    await notifyOf('Too late')
    await addDigests()
    await addDigests()
    const [mail, ...others] = await deliver()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: fixture.member.email, subject: '2 notifications for you' })
    expect(mail?.messageId).toMatch(/^<digest-[-0-9a-f]{36}@localhost>$/)
    expect(mail?.html).toContain('<bdi>Atlas &#60;Lions&#62;</bdi>')
    for (const part of [mail?.text, mail?.html]) {
      expect(part).not.toContain('Too late')
      expect(part).toContain(`${fixture.server.deps.config.appUrl}/#dashboard`)
      expect(part).toContain(`${fixture.server.deps.config.appUrl}/#notifications`)
      expect(part).toContain(mail?.unsubscribeUrl)
    }
    await addDigests()
    expect(await deliver()).toEqual([])
  })

  it('are one mail if a daily and a weekly one are due at the same time', async () => {
    await notifyOf('Daily')
    await prefer(fixture.member, 'weekly')
    await notifyOf('Weekly')
    await fixture.server.sql`update notifications set created_at = created_at - interval '8 days'`
    await addDigests()
    const [mail, ...others] = await deliver()
    expect(others).toEqual([])
    expect(mail?.text).toMatch(/Daily[^]*Weekly/)
  })

  it('show fifty notifications, and link to the others', async () => {
    for (let count = 0; count < 53; count++) await notifyOf(`Team ${count}`)
    await waitADay()
    await addDigests()
    const [mail] = await deliver()
    expect(mail?.subject).toBe('53 notifications for you')
    expect(mail?.text.match(/deactivated/g)).toHaveLength(50)
    expect(mail?.text).toContain('And 3 more in the app')
    expect(mail?.html).toContain('>And 3 more in the app</a>')
  })

  it('are added once for each time, and by another run for people whose account was locked', async () => {
    const handler = digestsHandler(fixture.server.deps, new AbortController().signal)
    const run = () => handler.run({} as never, null)
    await notifyOf('Atlas')
    await waitADay()
    await inTransaction(fixture.server.db, async (tx) => {
      await tx.execute(sql`select from users where id = ${fixture.member.id} for update`)
      await run()
    })
    expect(await digestJobs()).toEqual([])
    await run()
    expect(await digestJobs()).toHaveLength(1)
    await notifyOf('Atlas')
    await waitADay()
    // This run searches nothing: the next time is tomorrow.
    await run()
    expect(await digestJobs()).toHaveLength(1)
    await addDigests()
    expect(await digestJobs()).toHaveLength(2)
  })

  it('wait for their weekday if they are weekly', async () => {
    await prefer(fixture.member, 'weekly')
    await notifyOf('Atlas')
    await addDigests()
    expect(await digestJobs()).toEqual([])
    await fixture.server.sql`update notifications set created_at = created_at - interval '8 days'`
    await addDigests()
    expect(await deliver()).toHaveLength(1)
  })

  it('follow each person’s hour and time zone', async () => {
    const later = await fixture.server.createMember()
    await prefer(later, 'daily')
    const choose = ({ id }: TestUser, digestHour: number) =>
      fixture.server.sql`insert into notification_settings values (${id}, ${digestHour}, 1, null, null, 'UTC')`
    await choose(fixture.member, hour(-1))
    await choose(later, hour(1))
    await notifyOf('Atlas')
    await notifyOf('Atlas', later)
    await fixture.server.sql`update notifications set created_at = created_at - interval '3 hours'`
    await addDigests()
    expect((await deliver()).map(({ to }) => to)).toEqual([fixture.member.email])
  })

  it('use the default time zone for one that the server does not know, and do not hold up others', async () => {
    const later = await fixture.server.createMember()
    await prefer(later, 'daily')
    for (const [{ id }, zone] of [
      [fixture.member, 'America/Atlantis'],
      [later, 'UTC'],
    ] as const)
      await fixture.server.sql`insert into notification_settings values (${id}, 8, 1, null, null, ${zone})`
    await notifyOf('Atlas')
    await notifyOf('Atlas', later)
    await waitADay()
    await addDigests()
    expect((await deliver()).map(({ to }) => to).toSorted()).toEqual([fixture.member.email, later.email].toSorted())
    const { status, body } = await fixture.server.rest(fixture.member)('GET /notifications/preferences')
    expect([status, body.data.settings.timeZone]).toEqual([200, 'Africa/Casablanca'])
  })

  it('reach people who change to hours whose time has already come', async () => {
    const others = await fixture.server.createMember()
    const settings = { digestHour: 0, digestWeekday: 1, timeZone: 'UTC', quietHours: null }
    const choose = (user: TestUser, digestHour: number) =>
      fixture.server.rest(user)('PUT /notifications/preferences', { settings: { ...settings, digestHour } })
    await choose(others, hour(-1))
    await choose(fixture.member, hour(1))
    const handler = digestsHandler(fixture.server.deps, new AbortController().signal)
    const run = () => handler.run({} as never, null)
    await run()
    await notifyOf('Atlas')
    await fixture.server.sql`update notifications set created_at = created_at - interval '3 hours'`
    await run()
    expect(await digestJobs()).toEqual([])
    await choose(fixture.member, hour(-1))
    await run()
    expect((await deliver()).map(({ to }) => to)).toEqual([fixture.member.email])
  })

  it('leave out notifications that were read or are no longer wanted, and are not sent empty', async () => {
    await notifyOf('Read Team')
    await notifyOf('Unread')
    await waitADay()
    await addDigests()
    await fixture.server.sql`update notifications set read_at = now() where params ->> 'team' = 'Read Team'`
    const [mail] = await deliver()
    expect(mail?.subject).toBe('1 notification for you')
    expect(mail?.text).not.toContain('Read Team')

    await notifyOf('Unwanted')
    await waitADay()
    await addDigests()
    await prefer(fixture.member, 'off')
    expect(await deliver()).toEqual([])
  })

  it('are added once by concurrent processes', async () => {
    const people = await Promise.all(Array.from({ length: 30 }, () => fixture.server.createMember()))
    for (const person of people) {
      await prefer(person, 'daily')
      await notifyOf('Atlas', person)
      await notifyOf('Atlas', person)
    }
    await waitADay()
    const due = { hours: undefined, before: { daily: new Date(), weekly: new Date() } }
    const add = () => inTransaction(fixture.server.db, (tx) => insertDigests(tx, due))
    await Promise.all(Array.from({ length: 8 }, add))
    await add()
    expect(await digestJobs()).toHaveLength(people.length)
    const [row] = await fixture.server
      .sql`select count(distinct digest_id)::int as digests, count(*)::int as all from notifications`
    expect(row).toEqual({ digests: people.length, all: 2 * people.length })
  })

  it('leave the notifications to the next run if their transaction fails', async () => {
    await notifyOf('Atlas')
    await waitADay()
    const due = { hours: undefined, before: { daily: new Date(), weekly: new Date() } }
    const failing = inTransaction(fixture.server.db, async (tx) => {
      await insertDigests(tx, due)
      throw new Error('cut off')
    })
    await expect(failing).rejects.toThrow('cut off')
    await addDigests()
    expect(await deliver()).toHaveLength(1)
  })

  it.each(LANGUAGES)('are in the language of the reader: %s', async (language) => {
    await fixture.server.sql`update users set language = ${language} where id = ${fixture.member.id}`
    await notifyOf('Atlas')
    await notifyOf('Atlas')
    await waitADay()
    await addDigests()
    const [mail] = await deliver()
    const subjects = { en: '2 notifications for you', fr: '2 notifications pour vous', ar: 'لديك إشعاران' }
    expect(mail?.subject).toBe(subjects[language])
    expect(mail?.html).toContain(`dir="${language === 'ar' ? 'rtl' : 'ltr'}"`)
  })

  it('have a link that stops the mails of all their kinds, also of notifications that they do not show', async () => {
    for (let count = 0; count < 50; count++) await notifyOf('Atlas')
    await inTransaction(fixture.server.db, (tx) =>
      insertNotification(tx, fixture.member.id, {
        kind: 'team.member.joined',
        params: { team: 'Atlas', teamId: TEAM_ID },
        actorId: null,
      }),
    )
    await waitADay()
    await addDigests()
    const [mail] = await deliver()
    const url = new URL(mail?.unsubscribeUrl ?? '')
    const page = await fixture.server.app.inject(url.pathname + url.search)
    expect(page.body).toContain('<li>An administrator deactivated your team</li>')
    expect(page.body).toContain('<li>Somebody joined your team</li>')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const payload = 'List-Unsubscribe=One-Click'
    const response = await fixture.server.app.inject({
      method: 'POST',
      url: url.pathname + url.search,
      headers,
      payload,
    })
    expect(response.statusCode).toBe(200)
    const rows = await fixture.server
      .sql`select mail from notification_preferences where user_id = ${fixture.member.id}`
    expect(rows.map(({ mail: frequency }) => frequency)).toEqual(['off', 'off'])
  })
})
