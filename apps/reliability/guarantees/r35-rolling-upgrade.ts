import { PASSWORD, repeat, until } from '@community/testing'
import { Client, dataOf, describeResponse, isSuccess, requestOf } from '@community/testing/api-client'
import { startHaproxy } from '@community/testing/haproxy'
import { BUNDLE_PATHS, type Server, type Settings, spawnServer } from '@community/testing/server'
import { startWebhookReceiver } from '@community/testing/webhook-receiver'
import type { Guarantee } from '../guarantee.ts'
import { followModel } from '../harness/follow-model.ts'
import { followNotifications } from '../harness/follow-notifications.ts'
import { startLoad } from '../harness/load.ts'
import { buildRelease } from '../harness/previous-release.ts'

const PEOPLE = 3
/** Milliseconds between two calls of a client, and between two announcements. */
const [CALL_INTERVAL, ANNOUNCED_EVERY] = [500, 3000]

/** The values that occur more than once. */
const repeated = (values: string[]): string[] => values.filter((value, index) => values.indexOf(value) !== index)

async function stop(server: Server): Promise<string[]> {
  const code = await server.end('SIGTERM')
  const errors = server
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":50'))
  return code === 0 ? errors : [...errors, `a server ended with ${code}: ${server.output()}`]
}

async function migrate(settings: Settings): Promise<string[]> {
  const { exited, output } = spawnServer(settings, { args: ['migrate'] })
  const { code } = await exited
  return code === 0 ? [] : [`the migration ended with ${code}: ${output.err}`]
}

export const guarantee: Guarantee = {
  id: 'R35',
  statement:
    'Three servers of the last release become this version one after the other, and go back, under load: no call is refused, and no write, notification, mail or webhook message is lost or doubled',
  // Requires Debian's haproxy, and the history of the repository.
  from: 'full',
  async run(context) {
    const { byTier, expect, expectNone, from, log, onFinished, openFixture } = context
    const release = await buildRelease(from)
    onFinished(release.remove)
    const receiver = await startWebhookReceiver()
    onFinished(receiver.close)
    const settings = {
      DRAIN_SECONDS: '5',
      WEBHOOKS_TO_PRIVATE_ADDRESSES: '1',
      // The release builds no web app.
      WEB_DIR: BUNDLE_PATHS.WEB_DIR,
    }
    const fixture = await openFixture({ servers: 3, main: release.main, settings })
    const { mail, sql } = fixture
    // Version 0.2.0 has no announcements and no streams.
    const isMissing = (status: number) => status === 404 && from !== undefined
    const proxy = await startHaproxy(fixture.servers.map(({ port }) => port))
    onFinished(() => proxy.stop())
    const client = new Client(proxy.port)
    const behindProxy = { ...fixture, client, clients: [client] }
    const [admin, people] = [await fixture.createAdmin(), await fixture.createMembers(PEOPLE)]
    const webhook = { url: receiver.url, events: ['team.created' as const], password: PASSWORD }
    await dataOf(client.call(requestOf('webhooks.create', webhook, admin)))

    const stopped = new AbortController()
    const streams = people.map((user) => followNotifications(proxy.port, user))
    const model = followModel(behindProxy, context, stopped.signal)
    const announced: string[] = []
    const announce = async (round: number) => {
      const announcement = { title: `A${round}`, body: 'Read this.', audience: 'everyone' as const, password: PASSWORD }
      const response = await client.call(requestOf('admin.announce', announcement, admin))
      if (isSuccess(response)) announced.push(announcement.title)
      else expect(isMissing(response.status), `an announcement: ${describeResponse(response)}`)
    }
    const announcing = repeat(stopped.signal, announce, ANNOUNCED_EVERY)
    const load = await startLoad(behindProxy, context, {
      writers: 4,
      readers: 8,
      every: CALL_INTERVAL,
      allows: () => false,
    })
    const rounds = byTier({ short: 1, full: 1, long: 5 })
    for (let round = 0; round < rounds; round++) {
      expectNone(await migrate(fixture.settings))
      const upgraded: Server[] = []
      for (const server of fixture.servers) {
        await load.untilMore(50)
        expectNone(await stop(server))
        upgraded.push(await fixture.startServer({ PORT: String(server.port) }))
      }
      log(`upgraded from ${release.version}`)
      for (const [index, server] of upgraded.entries()) {
        await load.untilMore(50)
        expectNone(await stop(server))
        await fixture.servers[index]?.start()
      }
      log(`back at ${release.version}`)
    }
    await load.untilMore(50)
    stopped.abort()
    const [modelled] = await Promise.all([model, announcing])
    const stored = await load.end()
    expect(modelled['without a response'] === 0, `${modelled['without a response']} calls of the model got no response`)

    const emails = people.map(({ email }) => email)
    const notifications = () => sql<{ id: string; user: string; title: string }[]>`
      select n.id, u.email as user, n.params ->> 'title' as title from notifications n join users u on u.id = n.user_id
      where n.kind = 'announcement' and u.email = any(${emails})`
    const mailsOf = (id: string) => mail.mails.filter(({ messageId }) => messageId.includes(id)).length
    /** The messages about the load's teams: the team, and the id that every attempt repeats. */
    const reported = () =>
      receiver.received
        .map(
          ({ headers, message }) =>
            `${(message.data['team'] as { name: string }).name} ${String(headers['webhook-id'])}`,
        )
        .filter((report) => report.startsWith('Written '))
    await until('every team is reported', () => new Set(reported()).size >= stored)
    await until('everybody is notified', async () => (await notifications()).length >= announced.length * PEOPLE)
    const rows = await notifications()
    await until('every notification is mailed', () => rows.every(({ id }) => mailsOf(id) > 0))
    expect(new Set(reported()).size === stored, `${new Set(reported()).size} messages about ${stored} teams`)
    expectNone(repeated(rows.map(({ user, title }) => `${title} was notified to ${user} twice`)))
    expectNone(
      rows.filter(({ id }) => mailsOf(id) > 1).map(({ title, user }) => `${title} was mailed to ${user} twice`),
    )
    for (const [index, stream] of streams.entries()) {
      const { ids, statuses } = await stream.end()
      const refused = statuses.filter((status) => status !== 200 && !isMissing(status))
      expectNone(refused.map((status) => `a stream was answered ${status}`))
      expectNone(repeated(ids).map((id) => `the stream repeated ${id}`))
      const hasStreams = statuses.every((status) => !isMissing(status))
      const lost = rows.filter(({ id, user }) => hasStreams && user === emails[index] && !ids.includes(id))
      expectNone(lost.map(({ title, user }) => `the stream of ${user} lost ${title}`))
    }
    const dead = await sql<{ kind: string }[]>`select kind from jobs where status = 'dead' and kind <> 'webhook'`
    expectNone(dead.map(({ kind }) => `a job failed: ${kind}`))
    return {
      from: release.version,
      rounds,
      ...load.figures(),
      ...modelled,
      'teams stored and reported': stored,
      'messages sent again': repeated(reported()).length,
      announcements: announced.length,
      mails: mail.mails.length,
    }
  },
}
