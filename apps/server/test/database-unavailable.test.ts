import { migrate } from '@community/db'
import { type FaultyPostgres, startFaultyPostgres } from '@community/testing/database/faulty-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openWorldOn, type Person, type World } from './world.ts'

let server: FaultyPostgres
let world: World

beforeAll(async () => {
  server = await startFaultyPostgres()
  await migrate(server.url)
  world = await openWorldOn({ url: server.url, drop: async () => {} })
})
afterAll(async () => {
  await world.close()
  await server.remove()
})

const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const began = Date.now()
  return [await work, Date.now() - began]
}

describe('while the database is unavailable', () => {
  it('answers 503 in time, reports it in the health check, and recovers by itself', async () => {
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

    await server.start()
    const [back, took] = await timed(untilOk(chef))
    expect(back.status).toBe(200)
    expect(took).toBeLessThan(5000)
    expect((await world.rest()('GET /health')).status).toBe(200)
  })

  it('serves reads from a demoted primary and answers writes with 503 until there is a primary', async () => {
    const chef = await world.member()
    const team = await world.team(chef, { maxMembers: 11 })
    const becomes = async (isReadOnly: 'on' | 'off') => {
      await world.sql.unsafe(`alter system set default_transaction_read_only = ${isReadOnly}`)
      await server.restart('fast')
      await untilOk(chef)
    }
    await becomes('on')
    expect((await world.rest()('GET /health')).status).toBe(503)
    expect(await world.rest(chef)(`POST /teams/${team.id}/leave`)).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE', cooldown: 2 },
    })
    await becomes('off')
    expect((await world.rest()('GET /health')).status).toBe(200)
    expect((await world.rest(chef)(`POST /teams/${team.id}/leave`)).status).toBe(200)
  })

  it('leaves no partial join after a restart in the middle of many', async () => {
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
    const restarting = server.restart('immediate')
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
