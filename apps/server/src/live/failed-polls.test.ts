import type { Team } from '@community/contract'
import { createTestDatabase } from '@community/testing/database'
import { type EventStream, openStream } from '@community/testing/event-stream'
import { afterAll, afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { openTestServerOn } from '../../test/test-server.ts'
import { buildApp } from '../app.ts'

let team: Team
let stream: EventStream
let before: { teams: number; team: number }

/** Writes go to the first of two processes; the second has the stream, and a pool of its own. */
const database = await createTestDatabase()
const server = await openTestServerOn(database)
const pool = database.connect()
const other = await buildApp({ ...server.deps, db: pool.db })
const origin = await other.listen({ port: 0, host: '127.0.0.1' })
beforeEach(async () => {
  const chef = await server.createMember()
  team = await server.createTeam(chef)
  stream = await openStream(origin, { user: chef })
  await vi.waitUntil(() => stream.of('ready').length === 1, { timeout: 10_000 })
  // A second poll, so that none still reports the new team.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  before = countEvents()
})
afterEach(() => {
  vi.restoreAllMocks()
  stream.close()
})
afterAll(async () => {
  await other.close()
  await pool.close()
  await server.close()
})

const countEvents = () => ({ teams: stream.of('teams').length, team: stream.of('team').length })
const join = async () => expect((await server.join(team, await server.createMember())).status).toBe(201)
const fail = () => {
  throw new Error('the connection was closed')
}
const waitForChange = () => expect.poll(countEvents).toEqual({ teams: before.teams + 1, team: before.team + 1 })

describe('a change that a poll has read', () => {
  it('is sent by the next poll if its team’s members could not be read', async () => {
    const select = vi.spyOn(pool.db, 'select').mockImplementationOnce(fail)
    await join()
    await waitForChange()
    expect(select.mock.results[0]?.type).toBe('throw')
  })

  it('is sent by the next poll if the notifications could not be read', async () => {
    const read = pool.db.execute.bind(pool.db)
    // The first call checks the stream’s sign-in.
    const execute = vi.spyOn(pool.db, 'execute').mockImplementationOnce(read).mockImplementationOnce(fail)
    await join()
    await waitForChange()
    expect(execute.mock.results[1]?.type).toBe('throw')
  })

  it('is sent also if every poll failed until the watermark had passed it', async () => {
    let ahead = 0
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
    const select: MockInstance = vi.spyOn(pool.db, 'select').mockImplementation(fail)
    await join()
    for (let poll = 1; poll <= 4; poll++) {
      await expect.poll(() => select.mock.calls.length).toBeGreaterThanOrEqual(poll)
      ahead += 6000
    }
    select.mockRestore()
    await waitForChange()
  })
})
