import { afterAll, expect, it } from 'vitest'
import { createTestDatabase } from '@community/testing/database'
import { openFaultyNetwork } from '@community/testing/database/faulty-network'
import { connect } from '../src/index.ts'

let trips = 0
let sent = ''
const database = await createTestDatabase()
const network = await openFaultyNetwork(Number(new URL(database.url).port))
network.onClientData = (text) => {
  trips++
  sent += text
}
const url = new URL(database.url)
url.port = String(network.port)
const pool = connect(url.href, { max: 1, pooler: 'transaction' })
await pool.sql`select 1`
afterAll(async () => {
  await pool.close()
  network.close()
  await database.drop()
})

async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  trips = 0
  sent = ''
  await work()
  return trips
}

it('takes one round trip once the types of its parameters are known', async () => {
  const run = async () =>
    expect(
      await pool.sql`select ${'2026-11-25'}::date::text as day, ${[1, 2]}::int[] as ids, ${null}::text as nothing`,
    ).toEqual([{ day: '2026-11-25', ids: [1, 2], nothing: null }])
  expect(await tripsOf(run)).toBe(2)
  expect(await tripsOf(run)).toBe(1)
  expect(await tripsOf(run)).toBe(1)
})

it('pipelines known statements in a transaction', async () => {
  const work = () =>
    pool.sql.begin(async (tx) => {
      const rows = await Promise.all([1, 2, 3].map((id) => tx`select ${id}::int as id`))
      expect(rows.flat()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    })
  await work()
  // BEGIN, the three together, COMMIT.
  expect(await tripsOf(work)).toBe(3)
})

it('ends every round trip with Sync, so that a pooler waits for all of it', async () => {
  await tripsOf(() => pool.sql`select ${'new'}::text as word`)
  const [flush, sync] = ['H\0\0\0\x04', 'S\0\0\0\x04']
  expect([sent.split(flush).length - 1, sent.split(sync).length - 1]).toEqual([0, 2])
})

it('learns the types again after an error, such as of a column that was changed', async () => {
  await pool.sql`create table changing (value text)`
  const read = () => pool.sql`select value from changing where value = ${'1'}`
  await read()
  await pool.sql`alter table changing alter value type int using value::int`
  await expect(read()).rejects.toMatchObject({ code: '42883' })
  expect([...(await read())]).toEqual([])
})
