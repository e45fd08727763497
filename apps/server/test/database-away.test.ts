import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { migrate } from '@community/db'
import { startEmbeddedPostgres } from '@community/db/embedded'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectInvariants } from './invariants.ts'
import { openWorldOn, type Person, type World } from './world.ts'

let dir: string
let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>
let world: World

const start = (port?: number) => startEmbeddedPostgres({ dir, database: 'away', ...(port !== undefined && { port }) })

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'community-away-'))
  server = await start()
  await migrate(server.url)
  world = await openWorldOn({ url: server.url, drop: async () => {} })
})
afterAll(async () => {
  await world.close()
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const began = Date.now()
  return [await work, Date.now() - began]
}

describe('while the database is away', () => {
  it('every answer is a 503 that comes in time, and health tells it; afterwards everything works by itself', async () => {
    const chef = await world.member()
    const team = await world.team(chef, { maxMembers: 11 })
    await server.stop()

    for (const line of ['GET /teams', 'GET /users/profile', `POST /teams/${team.id}/leave`] as const) {
      const [answer, took] = await timed(world.rest(chef)(line))
      expect(answer).toMatchObject({ status: 503, body: { success: false, code: 'UNAVAILABLE', cooldown: 2 } })
      expect(answer.headers['retry-after']).toBe('2')
      expect(took).toBeLessThan(5000)
    }
    expect((await world.rest()('GET /health')).status).toBe(503)
    expect((await world.rest()('GET /health/live')).status).toBe(200)
    expect((await world.trpc(chef, 'teams.list', {})).failure).toMatchObject({ code: 'UNAVAILABLE' })

    server = await start(server.port)
    const [back, took] = await timed(untilOk(chef))
    expect(back.status).toBe(200)
    expect(took).toBeLessThan(5000)
    expect((await world.rest()('GET /health')).status).toBe(200)
  })

  it('a restart in the middle of many joins leaves no half of one', async () => {
    const chef = await world.member()
    const team = await world.team(chef, { maxMembers: 11 })
    const people = await Promise.all(Array.from({ length: 40 }, () => world.member()))
    let isOver = false
    const joining = Promise.all(
      people.map(async (person) => {
        let answer = await world.join(team, person)
        while (answer.status === 503 && !isOver) answer = await world.join(team, person)
        return answer.status
      }),
    )
    const restarting = (async () => {
      process.kill(server.pid, 'SIGQUIT')
      await untilGone(server.pid)
      server = await start(server.port)
    })()
    const statuses = await joining
    isOver = true
    await restarting
    await untilOk(chef)
    // An answer that was lost with the connection may have taken effect: then the retry says so.
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true)
    await expectInvariants(world.db)
  })
})

async function untilOk(who: Person) {
  const end = Date.now() + 10_000
  let answer = await world.rest(who)('GET /teams')
  while (answer.status !== 200 && Date.now() < end) answer = await world.rest(who)('GET /teams')
  return answer
}

async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
      await new Promise((resolve) => setTimeout(resolve, 10))
    } catch {
      return
    }
  }
}
