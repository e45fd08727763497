import type postgres from 'postgres'
import type { Fixture } from './fixture.ts'

/** A pool of one connection that records the statements it sends, and explains them. */
export function openExplainingPool(fixture: Pick<Fixture, 'openDirectPool'>) {
  const { db, sql } = fixture.openDirectPool({ max: 1 })
  const sent: [statement: string, values: never[]][] = []
  const debug = (_connection: number, statement: string, values: never[]) => sent.push([statement, values])
  Object.assign(sql.options, { debug })
  return {
    db,
    sql,
    /**
     * Returns the plan of the first ordered statement that `call` sends, and all its statements. The statement runs again for it, in a
     * transaction that begins with `prepare` and is rolled back.
     */
    async explain<T>(call: () => Promise<T>, prepare: (tx: postgres.TransactionSql) => Promise<unknown>) {
      sent.length = 0
      const result = await call()
      const statements = sent.map(([statement]) => statement)
      const [page = '', values = []] = sent.find(([statement]) => statement.includes('order by')) ?? []
      const lines = await sql.begin(async (tx) => {
        await prepare(tx)
        const found = await tx.unsafe(`explain (analyze, timing off) ${page}`, values)
        // `prepare` applies to this statement only: the transaction that `chain` begins has none of it.
        await tx`rollback and chain`
        return found
      })
      return { result, statements, plan: lines.map((line) => String(line['QUERY PLAN'])).join('\n') }
    },
  }
}
