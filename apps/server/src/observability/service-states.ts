import { DatabaseUnavailable } from '@community/db'
import { sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'

type ServiceState = 'up' | 'down'
/** Milliseconds after which a service that does not respond counts as down. */
const CHECK_TIMEOUT_MS = 2000

async function runCheck(check: () => Promise<unknown>): Promise<ServiceState> {
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<ServiceState>((resolve) => {
    timer = setTimeout(() => resolve('down'), CHECK_TIMEOUT_MS)
  })
  const checked = Promise.resolve()
    .then(check)
    .then((): ServiceState => 'up')
    .catch((): ServiceState => 'down')
  return Promise.race([checked, timedOut]).finally(() => clearTimeout(timer))
}

/** A demoted primary still responds but is read-only, so it counts as unavailable. */
async function checkDatabase(db: Deps['db']): Promise<void> {
  const [row] = await db.execute<{ reads: string }>(sql`select current_setting('transaction_read_only') as reads`)
  if (row?.reads !== 'off') throw new DatabaseUnavailable()
}

/** Cache TTL in milliseconds, by state; 0 shares a check among concurrent requests only. */
const NO_CACHE = { up: 0, down: 0 }
/** Anyone may request readiness, and each check signs in to the mail server. */
const MAIL_CACHE_TTL_MS = { up: 60_000, down: 15_000 }
const checks = new WeakMap<object, { state: Promise<ServiceState>; expiresAt: number }>()

/** A service's state, checked or cached. Concurrent callers share one check. */
function cachedCheck(
  service: object,
  ttlMs: Record<ServiceState, number>,
  check: () => Promise<unknown>,
): Promise<ServiceState> {
  const cached = checks.get(service)
  if (cached && performance.now() < cached.expiresAt) return cached.state
  const current = { state: runCheck(check), expiresAt: Number.POSITIVE_INFINITY }
  checks.set(service, current)
  void current.state.then((state) => {
    current.expiresAt = performance.now() + ttlMs[state]
  })
  return current.state
}

/** The states of the database, the storage and the mail server. */
export async function checkServices({
  healthDb,
  storage,
  mailer,
}: Pick<Deps, 'healthDb' | 'storage' | 'mailer'>): Promise<Record<'database' | 'storage' | 'mail', ServiceState>> {
  const [database, stored, mail] = await Promise.all([
    cachedCheck(healthDb, NO_CACHE, () => checkDatabase(healthDb)),
    cachedCheck(storage, NO_CACHE, () => storage.check()),
    cachedCheck(mailer, MAIL_CACHE_TTL_MS, () => mailer.check()),
  ])
  return { database, storage: stored, mail }
}
