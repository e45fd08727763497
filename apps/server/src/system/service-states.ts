import { DatabaseAway } from '@community/db'
import { sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'

export type State = 'up' | 'down'
/** Milliseconds after which a silent service counts as down. */
const PATIENCE = 2000

async function stateOf(check: () => Promise<unknown>): Promise<State> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<State>((resolve) => {
    timer = setTimeout(() => resolve('down'), PATIENCE)
  })
  const answer = Promise.resolve()
    .then(check)
    .then((): State => 'up')
    .catch((): State => 'down')
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** A primary that another took over from answers, and takes no writes. */
async function askDatabase(db: Deps['db']): Promise<void> {
  const [row] = await db.execute<{ reads: string }>(sql`select current_setting('transaction_read_only') as reads`)
  if (row?.reads !== 'off') throw new DatabaseAway()
}

/** Do the services that the product stands on answer? */
export async function stateOfServices({
  db,
  storage,
  mailer,
}: Pick<Deps, 'db' | 'storage' | 'mailer'>): Promise<Record<'database' | 'storage' | 'mail', State>> {
  const [database, stored, mail] = await Promise.all([
    stateOf(() => askDatabase(db)),
    stateOf(() => storage.check()),
    stateOf(() => mailer.check()),
  ])
  return { database, storage: stored, mail }
}
