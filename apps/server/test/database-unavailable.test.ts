import { migrate } from '@community/db'
import { databaseAt } from '@community/testing/database'
import { type FaultyPostgres, startFaultyPostgres } from '@community/testing/database/faulty-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openTestServerOn, type TestUser, type TestServer } from './test-server.ts'

let postgres: FaultyPostgres
let server: TestServer

beforeAll(async () => {
  postgres = await startFaultyPostgres()
  await migrate(postgres.url)
  server = await openTestServerOn({ ...databaseAt(postgres.url), drop: async () => {} })
})
afterAll(async () => {
  await server.close()
  await postgres.remove()
})

const measure = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const startedAt = Date.now()
  return [await work, Date.now() - startedAt]
}

describe('while the database is unavailable', () => {
  it('responds with 503 within five seconds, reports it in the health check, and recovers without a restart', async () => {
    const chef = await server.createMember()
    const team = await server.createTeam(chef, { maxMembers: 11 })
    await postgres.stop()

    for (const requestLine of ['GET /teams', 'GET /users/profile', `POST /teams/${team.id}/leave`] as const) {
      const [response, elapsedMs] = await measure(server.rest(chef)(requestLine))
      expect(response).toMatchObject({ status: 503, body: { success: false, code: 'UNAVAILABLE', cooldown: 2 } })
      expect(response.headers['retry-after']).toBe('2')
      expect(elapsedMs).toBeLessThan(5000)
    }
    expect((await server.rest()('GET /health')).status).toBe(503)
    expect((await server.rest()('GET /health/live')).status).toBe(200)
    expect((await server.trpc(chef, 'teams.list', {})).failure).toMatchObject({ code: 'UNAVAILABLE' })

    await postgres.start()
    const [response, elapsedMs] = await measure(waitUntilOk(chef))
    expect(response.status).toBe(200)
    expect(elapsedMs).toBeLessThan(5000)
    expect((await server.rest()('GET /health')).status).toBe(200)
  })

  it('serves reads from a demoted primary and responds to writes with 503 until there is a primary', async () => {
    const chef = await server.createMember()
    const team = await server.createTeam(chef, { maxMembers: 11 })
    const setReadOnly = async (value: 'on' | 'off') => {
      await server.sql.unsafe(`alter system set default_transaction_read_only = ${value}`)
      await postgres.restart('fast')
      await waitUntilOk(chef)
    }
    await setReadOnly('on')
    expect((await server.rest(chef)('GET /teams')).status).toBe(200)
    expect((await server.rest()('GET /health')).status).toBe(503)
    expect(await server.rest(chef)(`POST /teams/${team.id}/leave`)).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE', cooldown: 2 },
    })
    await setReadOnly('off')
    expect((await server.rest()('GET /health')).status).toBe(200)
    expect((await server.rest(chef)(`POST /teams/${team.id}/leave`)).status).toBe(200)
  })

  it('leaves no partial join when PostgreSQL crashes during concurrent joins', async () => {
    const chef = await server.createMember()
    const team = await server.createTeam(chef, { maxMembers: 11 })
    const people = await Promise.all(Array.from({ length: 40 }, () => server.createMember()))
    const joining = Promise.all(
      people.map(async (person) => {
        let response = await server.join(team, person)
        while (response.status === 503) response = await server.join(team, person)
        return response.status
      }),
    )
    const restarting = postgres.restart('immediate')
    const statuses = await joining
    await restarting
    await waitUntilOk(chef)
    // 409: the team is full, or an earlier attempt was committed and only its response was lost.
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true)
    await expectInvariants(server.db)
  })
})

/** Resolves with the last response, after ten seconds at most. */
async function waitUntilOk(user: TestUser) {
  const deadline = Date.now() + 10_000
  let response = await server.rest(user)('GET /teams')
  while (response.status !== 200 && Date.now() < deadline) response = await server.rest(user)('GET /teams')
  return response
}
