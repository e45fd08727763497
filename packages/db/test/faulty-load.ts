// A load generator for faults.test.ts: inserts pairs of rows in transactions, and sends its counts when it is stopped.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { connect, inTransaction, isDatabaseUnavailable, isTimeout } from '../src/index.ts'

const [url = '', max = '4', workers = '16', background = 'no'] = process.argv.slice(2)
const { db } = connect(url, { max: Number(max) })

const counts = { committed: 0, unavailable: 0, timeouts: 0, slowest: 0, unexpected: [] as string[], lastSuccess: 0 }
const acknowledged: string[] = []
let isStopping = false

async function insertPair(id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`insert into halves (pair, half) values (${id}, 1)`)
    await tx.execute(sql`select pg_sleep(0.002)`)
    await tx.execute(sql`insert into halves (pair, half) values (${id}, 2)`)
  })
}

async function worker(name: number): Promise<void> {
  for (let index = 0; !isStopping; index++) {
    const startedAt = Date.now()
    const id = `${process.pid}-${name}-${index}`
    try {
      await insertPair(id)
      acknowledged.push(id)
      counts.committed++
      counts.lastSuccess = Date.now()
    } catch (error) {
      if (isDatabaseUnavailable(error)) counts.unavailable++
      else if (isTimeout(error)) counts.timeouts++
      else if (counts.unexpected.length < 5) counts.unexpected.push(String((error as Error).cause ?? error))
      await sleep(10)
    }
    counts.slowest = Math.max(counts.slowest, Date.now() - startedAt)
  }
}

/** Other queries on the same pool, so that a lost connection is soon used again. */
async function reader(): Promise<void> {
  while (!isStopping) await db.execute(sql`select 1`).catch(() => sleep(10))
}

process.on('disconnect', () => process.exit())
process.on('message', (message) => {
  if (message !== 'stop') return
  isStopping = true
})
const all = [
  ...Array.from({ length: Number(workers) }, (_, name) => worker(name)),
  ...(background === 'yes' ? [reader(), reader()] : []),
]
process.send?.('ready')
await Promise.all(all)
process.send?.({ counts, acknowledged }, () => process.exit())
