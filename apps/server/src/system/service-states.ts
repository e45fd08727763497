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

/** Do the services that the product stands on answer? */
export async function stateOfServices({
  db,
  storage,
  mailer,
}: Pick<Deps, 'db' | 'storage' | 'mailer'>): Promise<Record<'database' | 'storage' | 'mail', State>> {
  const [database, stored, mail] = await Promise.all([
    stateOf(() => db.execute(sql`select 1`)),
    stateOf(() => storage.check()),
    stateOf(() => mailer.check()),
  ])
  return { database, storage: stored, mail }
}
