import { DatabaseUnavailable } from '@community/db'
import { sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'

export type ServiceState = 'up' | 'down'
/** Milliseconds after which a silent service counts as down. */
const PATIENCE = 2000

async function stateOf(check: () => Promise<unknown>): Promise<ServiceState> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<ServiceState>((resolve) => {
    timer = setTimeout(() => resolve('down'), PATIENCE)
  })
  const answer = Promise.resolve()
    .then(check)
    .then((): ServiceState => 'up')
    .catch((): ServiceState => 'down')
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** A primary that another took over from answers, and takes no writes. */
async function askDatabase(db: Deps['db']): Promise<void> {
  const [row] = await db.execute<{ reads: string }>(sql`select current_setting('transaction_read_only') as reads`)
  if (row?.reads !== 'off') throw new DatabaseUnavailable()
}

/** Milliseconds for which a service's last answer is told again: none, where what is said must be so now. */
const ASKED_ANEW = { up: 0, down: 0 }
/** Anybody may ask as often as they like, and each look signs in at the mail server. */
const MAIL_KEPT = { up: 60_000, down: 15_000 }
const looks = new WeakMap<object, { state: Promise<ServiceState>; until: number }>()

/** What a service answers, or answered a moment ago: those who ask together are told together. */
function lookAt(
  service: object,
  kept: Record<ServiceState, number>,
  check: () => Promise<unknown>,
): Promise<ServiceState> {
  const known = looks.get(service)
  if (known && performance.now() < known.until) return known.state
  const look = { state: stateOf(check), until: Number.POSITIVE_INFINITY }
  looks.set(service, look)
  void look.state.then((state) => {
    look.until = performance.now() + kept[state]
  })
  return look.state
}

/** Do the services that the product stands on answer? */
export async function checkServices({
  healthDb,
  storage,
  mailer,
}: Pick<Deps, 'healthDb' | 'storage' | 'mailer'>): Promise<Record<'database' | 'storage' | 'mail', ServiceState>> {
  const [database, stored, mail] = await Promise.all([
    lookAt(healthDb, ASKED_ANEW, () => askDatabase(healthDb)),
    lookAt(storage, ASKED_ANEW, () => storage.check()),
    lookAt(mailer, MAIL_KEPT, () => mailer.check()),
  ])
  return { database, storage: stored, mail }
}
