import { inTransaction } from '@community/db'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { openTestServer } from './test-server.ts'

const server = await openTestServer()
afterAll(() => server.close())

const POOL = 4

/** Holds every connection of the server's pool until the returned function is called. */
async function holdPool(): Promise<() => Promise<unknown>> {
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const holders: Promise<unknown>[] = []
  for (let index = 0; index < POOL; index++)
    await new Promise<void>((resolve) => {
      const holder = inTransaction(server.db, async (tx) => {
        await tx.execute(sql`select 1`)
        resolve()
        await released
      })
      holders.push(holder)
    })
  return () => {
    release()
    return Promise.all(holders)
  }
}

describe('more requests than pool connections', () => {
  it('answers 503 after two seconds and runs none of the rejected requests later', async () => {
    const [chef, joiner] = await Promise.all([server.createMember(), server.createMember()])
    const team = await server.createTeam(chef)
    const release = await holdPool()
    const startedAt = Date.now()
    const responses = await Promise.all([
      server.join(team, joiner),
      ...Array.from({ length: 100 }, (_, index) => server.rest(index % 2 ? chef : null)('GET /teams')),
    ])
    expect(Date.now() - startedAt).toBeLessThan(4000)
    for (const { status, headers, body } of responses) {
      expect(status).toBe(503)
      expect(headers['retry-after']).toBe('2')
      expect(body).toMatchObject({ success: false, code: 'UNAVAILABLE', cooldown: 2 })
    }
    expect((await server.rest()('GET /health/live')).status).toBe(200)
    // The readiness check has its own connection.
    expect((await server.rest()('GET /health')).body.data).toMatchObject({ database: 'up' })

    await release()
    expect((await server.rest(joiner)(`GET /teams/${team.id}`)).body.data.team.members).toHaveLength(1)
    expect((await server.join(team, joiner)).status).toBe(201)
  })
})
