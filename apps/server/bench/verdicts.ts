import postgres from 'postgres'
import { median, prepare, ratePerSecond } from './driver.ts'
import type { Program } from './programs.ts'
import type { Seeded } from './seed.ts'

const CONNECTIONS = 16
const AT_MOST = 400

export interface VerdictResult {
  /** Approvals a second: the product, the bare program, and the median ratio of a round. */
  product: number
  bare: number
  ratio: number
  /** That PostgreSQL counted in this database meanwhile. */
  deadlocks: number
}

const deadlocksOf = async (sql: postgres.Sql): Promise<number> => {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<{ deadlocks: number }[]>`
    select deadlocks::int from pg_stat_database where datname = current_database()`
  return row?.deadlocks ?? 0
}

/** Sixteen at once approve what waits. Each round gives both programs as many submissions, of as many teams. */
export async function measureVerdicts(
  product: Program,
  bare: Program,
  { databaseUrl, seeded, rounds, seconds }: { databaseUrl: string; seeded: Seeded; rounds: number; seconds: number },
): Promise<VerdictResult> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const waiting = await sql<{ id: string }[]>`
      select id from submissions where status = 'pending' order by id limit ${AT_MOST * 2 * rounds}`
    const share = Math.floor(waiting.length / (2 * rounds))
    const before = await deadlocksOf(sql)
    const found: { product: number; bare: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const rates = { product: 0, bare: 0 }
      for (const [name, program] of [['product', product] as const, ['bare', bare] as const]) {
        const mine = waiting.splice(0, share).map(({ id }, n) =>
          prepare({
            method: 'POST',
            path: `/api/submissions/${id}/evaluate`,
            token: seeded.adminToken,
            body: { status: 'approved', score: 51 + (n % 50) },
          }),
        )
        rates[name] = await ratePerSecond({
          port: program.port,
          connections: CONNECTIONS,
          seconds: seconds * 4,
          next: () => mine.pop(),
        })
      }
      found.push(rates)
    }
    return {
      product: median(found.map((one) => one.product)),
      bare: median(found.map((one) => one.bare)),
      ratio: median(found.map((one) => one.product / one.bare)),
      deadlocks: (await deadlocksOf(sql)) - before,
    }
  } finally {
    await sql.end()
  }
}
