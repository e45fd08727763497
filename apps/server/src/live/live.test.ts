import type { Challenge, Team } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { notifications } from '@community/db/schema'
import { PASSWORD, validInput } from '@community/testing'
import { createTestDatabase } from '@community/testing/database'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type EventStream, openStream } from '@community/testing/event-stream'
import { createToken } from '../../test/personal-token.ts'
import { openTestServerOn, type TestUser } from '../../test/test-server.ts'
import { buildApp } from '../app.ts'

const opened: EventStream[] = []

/** Two processes on one database: writes go to the first, streams are open at the second. */
const database = await createTestDatabase()
const server = await openTestServerOn(database)
const pool = database.connect()
const other = await buildApp({ ...server.deps, db: pool.db })
const here = await server.app.listen({ port: 0, host: '127.0.0.1' })
const there = await other.listen({ port: 0, host: '127.0.0.1' })
const admin = await server.createAdmin()
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close()
})
afterAll(async () => {
  await other.close()
  await pool.close()
  await server.close()
})

async function open(origin: string, request: Parameters<typeof openStream>[1] = {}) {
  const stream = await openStream(origin, request)
  opened.push(stream)
  if (stream.status === 200) await expect.poll(() => stream.of('ready').length, { timeout: 5000 }).toBe(1)
  return stream
}
const waitForEvents = (stream: EventStream, name: string, count = 1) =>
  expect.poll(() => stream.of(name).length, { timeout: 5000, interval: 20 }).toBeGreaterThanOrEqual(count)
/** Waits for the event of a new challenge: earlier changes have reached the stream before it. */
async function waitForEarlierChanges(stream: EventStream): Promise<void> {
  const count = stream.of('challenges').length
  await server.createChallenge(admin)
  await waitForEvents(stream, 'challenges', count + 1)
}

const insert = async (tx: Tx, { id }: TestUser, warning: string): Promise<string> => {
  const [row] = await tx
    .insert(notifications)
    .values({ userId: id, kind: 'account.warned', params: { warning }, isInApp: true, mail: 'instant', push: false })
    .returning({ id: notifications.id })
  return row?.id ?? ''
}
const notify = (user: TestUser, warning = 'Be kind') => inTransaction(server.db, (tx) => insert(tx, user, warning))
const submit = (chef: TestUser, team: Team, challenge: Challenge) => {
  const { id, ...form } = validInput('challenges.submit', { id: challenge.id, teamName: team.name })
  return server.rest(chef)(`POST /challenges/${id}/submit`, form)
}
const idsOf = (stream: EventStream) => stream.of('notifications').map(({ data }) => data.id)

describe('GET /events', () => {
  it('has the headers that keep proxies and caches from holding events back', async () => {
    const { headers } = await open(here)
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-accel-buffering']).toBe('no')
    expect(headers['content-encoding']).toBeUndefined()
  })

  it('reports a joined team to everyone, across processes, and names it to its members only', async () => {
    const chef = await server.createMember()
    const team = await server.createTeam(chef)
    const [visitor, ofChef, ofStranger] = await Promise.all([
      open(there),
      open(there, { user: chef }),
      open(there, { user: await server.createMember() }),
    ])
    expect((await server.join(team, await server.createMember())).status).toBe(201)
    await waitForEvents(visitor, 'teams')
    await waitForEvents(ofChef, 'team')
    expect(ofChef.of('team')[0]?.data).toEqual({ teamId: team.id })
    await waitForEvents(ofStranger, 'teams')
    expect(ofStranger.of('team')).toEqual([])
  })

  it('sends visitors public topics without any data', async () => {
    const chef = await server.createMember()
    const [visitor, ofAdmin] = await Promise.all([open(there), open(there, { user: admin })])
    const challenge = await server.createChallenge(admin)
    const team = await server.createTeam(chef)
    await submit(chef, team, challenge)
    await notify(chef)
    await waitForEvents(ofAdmin, 'submissions')
    await waitForEvents(visitor, 'challenges')
    await waitForEvents(visitor, 'teams')
    await waitForEarlierChanges(visitor)
    const names = new Set(visitor.events.map(({ event }) => event))
    expect([...names].toSorted()).toEqual(['challenges', 'leaderboard', 'ready', 'teams'])
    expect(visitor.events.every(({ data, id }) => Object.keys(data).length === 0 && id === undefined)).toBe(true)
  })

  it('reports new work to administrators and its verdict to the chef', async () => {
    const chef = await server.createMember()
    const [team, challenge] = [await server.createTeam(chef), await server.createChallenge(admin)]
    const queue = await open(there, { user: admin })
    const applied = await submit(chef, team, challenge)
    await waitForEvents(queue, 'submissions')
    const [ofChef, visitor] = await Promise.all([open(there, { user: chef }), open(there)])
    const { id } = applied.body.data.submission as { id: string }
    const verdict = { status: 'approved', score: 80 }
    expect((await server.rest(admin)(`POST /submissions/${id}/evaluate`, verdict)).status).toBe(200)
    await waitForEvents(ofChef, 'team')
    await waitForEvents(visitor, 'leaderboard')
    expect(ofChef.of('team')[0]?.data).toEqual({ teamId: team.id })
  })

  it('reports approved work to visitors, and its reset, also without a change of points', async () => {
    const chef = await server.createMember()
    const [team, challenge] = [
      await server.createTeam(chef),
      await server.createChallenge(admin, { maxSubmissions: 2 }),
    ]
    const [best, second] = [await submit(chef, team, challenge), await submit(chef, team, challenge)]
    const post = async (work: typeof best, action: string, input = {}) => {
      const visitor = await open(there)
      const { id } = work.body.data.submission as { id: string }
      expect((await server.rest(admin)(`POST /submissions/${id}/${action}`, input)).status).toBe(200)
      await waitForEvents(visitor, 'leaderboard')
      await waitForEarlierChanges(visitor)
    }
    await post(best, 'evaluate', { status: 'approved', score: 80 })
    await post(second, 'evaluate', { status: 'approved', score: 50 })
    await post(second, 'reset-evaluation')
  })

  it('sends a notification to its owner only, once, to every one of their streams', async () => {
    const [sara, omar] = [await server.createMember(), await server.createMember()]
    const streams = await Promise.all([open(here, { user: sara }), open(there, { user: sara })])
    const foreign = await open(there, { user: omar })
    const id = await notify(sara)
    for (const stream of streams) await waitForEvents(stream, 'notifications')
    const foreignId = await notify(omar)
    await waitForEvents(foreign, 'notifications')
    const laterId = await notify(sara)
    for (const stream of streams) await waitForEvents(stream, 'notifications', 2)
    for (const stream of streams)
      expect(stream.of('notifications').map(({ data }) => data)).toEqual([
        { id, kind: 'account.warned' },
        { id: laterId, kind: 'account.warned' },
      ])
    expect(idsOf(foreign)).toEqual([foreignId])
  })

  it('resumes by Last-Event-ID without losing or repeating a notification', async () => {
    const sara = await server.createMember()
    const first = await open(there, { user: sara })
    const seen = [await notify(sara, 'one'), await notify(sara, 'two')]
    await waitForEvents(first, 'notifications', 2)
    first.close()
    const missed = [await notify(sara, 'three'), await notify(sara, 'four')]
    const second = await open(here, { user: sara, lastEventId: first.lastId() })
    await waitForEvents(second, 'notifications', 2)
    seen.push(await notify(sara, 'five'))
    await waitForEvents(second, 'notifications', 3)
    expect(idsOf(first)).toEqual(seen.slice(0, 2))
    expect(idsOf(second)).toEqual([...missed, seen[2]])
  })

  it('resumes without repeating one of a hundred and fifty recent notifications', async () => {
    const sara = await server.createMember()
    const first = await open(there, { user: sara })
    const notifyHalf = () =>
      inTransaction(server.db, async (tx) => {
        for (let index = 0; index < 75; index++) await insert(tx, sara, String(index))
      })
    await notifyHalf()
    await waitForEvents(first, 'notifications', 75)
    await notifyHalf()
    await waitForEvents(first, 'notifications', 150)
    first.close()
    const missed = await notify(sara, 'missed')
    const second = await open(here, { user: sara, lastEventId: first.lastId() })
    await waitForEvents(second, 'notifications')
    const later = await notify(sara, 'later')
    await waitForEvents(second, 'notifications', 2)
    expect(idsOf(second)).toEqual([missed, later])
  })

  it('delivers two notifications that are committed in reverse order, also to a stream resumed between them', async () => {
    const sara = await server.createMember()
    const stream = await open(there, { user: sara })
    let commit = () => {}
    let earlier = ''
    const held = new Promise<void>((resolve) => {
      commit = resolve
    })
    const slow = inTransaction(pool.db, async (tx) => {
      earlier = await insert(tx, sara, 'written first, committed last')
      await held
    })
    await expect.poll(() => earlier).not.toBe('')
    const later = await notify(sara, 'written last, committed first')
    await waitForEvents(stream, 'notifications')
    expect(idsOf(stream)).toEqual([later])
    stream.close()
    commit()
    await slow
    const resumed = await open(here, { user: sara, lastEventId: stream.lastId() })
    await waitForEvents(resumed, 'notifications')
    const last = await notify(sara, 'last')
    await waitForEvents(resumed, 'notifications', 2)
    expect(idsOf(resumed)).toEqual([earlier, last])
  })

  it('sends `reset` in place of more than a hundred missed notifications', async () => {
    const sara = await server.createMember()
    const first = await open(here, { user: sara })
    first.close()
    await inTransaction(server.db, async (tx) => {
      for (let count = 0; count < 101; count++) await insert(tx, sara, String(count))
    })
    const second = await open(here, { user: sara, lastEventId: first.lastId() })
    await waitForEvents(second, 'reset')
    const id = await notify(sara)
    await waitForEvents(second, 'notifications')
    expect(idsOf(second)).toEqual([id])
  })

  it('starts at the present for a Last-Event-ID that the server has not sent', async () => {
    const sara = await server.createMember()
    await notify(sara)
    const stream = await open(here, { user: sara, lastEventId: "1' or true --" })
    const later = await notify(sara)
    await waitForEvents(stream, 'notifications')
    expect(idsOf(stream)).toEqual([later])
  })
})

describe('the end of a sign-in', () => {
  it('ends the streams of a banned member in another process, and nobody else’s', async () => {
    const [sara, omar] = [await server.createMember(), await server.createMember()]
    const [banned, stays] = await Promise.all([open(there, { user: sara }), open(there, { user: omar })])
    const ban = { userId: sara.id, password: PASSWORD, reason: 'Spam in every team' }
    expect((await server.rest(admin)('POST /admin/ban', ban)).status).toBe(200)
    await expect.poll(banned.isEnded, { timeout: 2000 }).toBe(true)
    expect(banned.of('end')).toHaveLength(1)
    expect(stays.isEnded()).toBe(false)
  })

  it('ends the stream of a sign-out, and of a revoked personal access token', async () => {
    const sara = await server.createMember()
    const token = await createToken(server, sara, 'read')
    const [signedIn, script] = await Promise.all([open(there, { user: sara }), open(there, { user: token })])
    expect((await server.rest(sara)(`DELETE /users/tokens/${token.id}`)).status).toBe(200)
    await expect.poll(script.isEnded, { timeout: 2000 }).toBe(true)
    expect(signedIn.isEnded()).toBe(false)
    await server.rest(sara)('POST /auth/logout', {})
    await expect.poll(signedIn.isEnded, { timeout: 2000 }).toBe(true)
  })
})

describe('topics', () => {
  it('are limited to the requested ones', async () => {
    const stream = await open(there, { query: '?topics=leaderboard' })
    await server.createTeam(await server.createMember())
    await waitForEvents(stream, 'leaderboard')
    expect(stream.of('teams')).toEqual([])
  })

  it.each([
    ['?topics=everything', 400],
    ['?topics=notifications', 401],
    ['?topics=submissions', 401],
  ])('of a visitor: %s responds with %i', async (query, status) => {
    expect((await server.app.inject(`/api/events${query}`)).statusCode).toBe(status)
  })

  it('of administrators respond with 403 to members', async () => {
    const { token } = await server.createMember()
    const headers = { authorization: `Bearer ${token}` }
    expect((await server.app.inject({ url: '/api/events?topics=submissions', headers })).statusCode).toBe(403)
  })
})
