import { inTransaction } from '@community/db'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseFault } from '../src/errors.ts'
import { newEmail } from './accounts.ts'
import { openWorld, PASSWORD, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

describe('T-I4 the database waits for nothing long', () => {
  it('T-I4 as every connection of the server is told', async () => {
    const told = await Promise.all(
      Array.from(
        { length: 8 },
        () => world.sql`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle`,
      ),
    )
    for (const [row] of told) expect(row).toEqual({ statement: '3s', lock: '2s', idle: '5s' })
  })

  it('T-I4 a statement that goes on is ended, and its caller told to come back', async () => {
    const began = performance.now()
    const ended = inTransaction(world.db, (tx) => tx.execute(sql`select pg_sleep(20)`))
    const error: unknown = await ended.then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(databaseFault((error as Error).cause ?? error)).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  it('T-I4 a call whose team somebody holds is told so, and has no effect later', async () => {
    const [chef, joiner] = await Promise.all([world.member(), world.member()])
    const team = await world.team(chef)
    let giveBack = () => {}
    const isOver = new Promise<void>((resolve) => (giveBack = resolve))
    let isHeld = () => {}
    const held = new Promise<void>((resolve) => (isHeld = resolve))
    const holder = inTransaction(world.db, async (tx) => {
      await tx.execute(sql`select id from teams where id = ${team.id} for update`)
      isHeld()
      await isOver
    })
    await held
    const refused = await world.join(team, joiner)
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', cooldown: 2 } })
    giveBack()
    await holder
    expect((await world.rest(chef)(`GET /teams/${team.id}`)).body.data.team.members).toHaveLength(1)
    expect((await world.join(team, joiner)).status).toBe(201)
  })
})

/** Guesses until one is told to wait; how many were judged. */
async function judgedOf(at: World, headersOf: (turn: number) => Record<string, string>): Promise<number> {
  const guess = (turn: number) =>
    at.rest()('POST /auth/login', { email: newEmail(), password: PASSWORD }, headersOf(turn))
  let judged = 0
  for (let turn = 0; turn < 70; turn += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, nth) => guess(turn + nth)))
    judged += answers.filter(({ body }) => body.code === 'WRONG_CREDENTIALS').length
  }
  return judged
}

/** As many ways in which an address is told of. */
const forged = (address: string): Record<string, string> => ({
  'x-forwarded-for': `${address}, ${address}`,
  forwarded: `for=${address}`,
  'x-real-ip': address,
  'x-client-ip': address,
  'cf-connecting-ip': address,
  'true-client-ip': address,
})

describe('T-I5 an address is believed to a known proxy alone', () => {
  it('T-I5 and to nobody where none is named', async () =>
    expect(await judgedOf(world, (turn) => forged(`203.0.113.${turn}`))).toBe(60))

  it('T-I5 behind one, what its client wrote before is not believed', async () => {
    const proxied = await openWorld({ TRUST_PROXY: 'loopback' })
    // The proxy adds the address it sees; what stands before it anybody may have written.
    const judged = await judgedOf(proxied, (turn) => ({ 'x-forwarded-for': `198.51.100.${turn}, 203.0.113.7` }))
    expect(judged).toBe(60)
    const another = await proxied.rest()(
      'POST /auth/login',
      { email: newEmail(), password: PASSWORD },
      { 'x-forwarded-for': '203.0.113.8' },
    )
    expect(another.body.code).toBe('WRONG_CREDENTIALS')
    await proxied.close()
  })
})
