import { randomUUID } from 'node:crypto'
import type { Language } from '@community/contract'
import { type Db, inTransaction, isDatabaseUnavailable, type Tx } from '@community/db'
import { outbox } from '@community/db/schema'
import { and, asc, eq, getTableColumns, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import { isRefusedForGood, isServerAway } from '../integrations/mailer.ts'
import { type MailTemplate, renderMail } from '../mails/render.ts'
import { sendingErrorOf } from '../mails/sending-error.ts'

export type { MailTemplate }

export interface QueuedMail {
  template: MailTemplate
  to: string
  language: Language
  values: Record<string, string>
  /** Pointless after this instant of the database's clock. */
  expiresAt?: SQL
}

const rowOf = ({ secret }: Pick<Deps, 'secret'>, { template, to, language, values, expiresAt }: QueuedMail) => ({
  template,
  recipient: to,
  language,
  payload: secret.seal(JSON.stringify(values)),
  ...(expiresAt && { expiresAt }),
})

/** Writes a mail into the transaction it belongs to; a worker sends it after the commit: `wakeOutbox` has it begin at once. */
export async function queueMail(tx: Tx, deps: Pick<Deps, 'secret'>, mail: QueuedMail): Promise<void> {
  await tx.insert(outbox).values(rowOf(deps, mail))
}

/** Takes the time of `queueMail` and sends nothing, where nobody may tell the difference; the row names nobody. */
export async function queueDecoyMail(tx: Tx, deps: Pick<Deps, 'secret'>, mail: QueuedMail): Promise<void> {
  await tx
    .insert(outbox)
    .values({ ...rowOf(deps, mail), recipient: '', payload: '', status: 'sent', sentAt: sql`now()` })
}

const sleepers = new WeakMap<Db, Set<() => void>>()

/** Has this process's workers look for mails now: after the commit of a transaction that queued one. */
export function wakeOutbox(db: Db): void {
  for (const wake of sleepers.get(db) ?? []) wake()
}

/** Milliseconds between two looks for mails of other processes and for those that are to be tried again. */
const IDLE_MS = 1000
const BATCH = 5
/** Seconds a worker has for a batch; then it has crashed and another takes over. Longer than the mailer's own patience. */
const LEASE = 60
const ATTEMPTS_MAX = 10
/** More of them do not count while the server cannot be reached: it is asked every quarter of a minute until it is back. */
const ATTEMPTS_AWAY = 4
/** Seconds before the next attempt: 2, 4, 8 … up to ten minutes, and not all at once. */
const backoff = (attempts: number) => Math.min(600, 2 ** attempts) * (0.75 + Math.random() / 2)

const claimed = {
  ...getTableColumns(outbox),
  isExpired: sql<boolean>`coalesce(${outbox.expiresAt} <= now(), false)`,
}
type Claimed = typeof outbox.$inferSelect & { isExpired: boolean }

/** Takes some mails that are due; no other worker gets them while the lease runs. */
const claim = ({ db }: Pick<Deps, 'db'>): Promise<Claimed[]> =>
  inTransaction(db, async (tx) => {
    const isFree = or(isNull(outbox.leaseUntil), lt(outbox.leaseUntil, sql`now()`))
    const isDue = and(eq(outbox.status, 'pending'), sql`${outbox.availableAt} <= now()`, isFree)
    const due = await tx
      .select({ id: outbox.id })
      .from(outbox)
      .where(isDue)
      .orderBy(asc(outbox.availableAt))
      .limit(BATCH)
      .for('update', { skipLocked: true })
    if (due.length === 0) return []
    const isTaken = inArray(
      outbox.id,
      due.map(({ id }) => id),
    )
    return tx
      .update(outbox)
      .set({ leaseUntil: sql`now() + make_interval(secs => ${LEASE})`, attempts: sql`${outbox.attempts} + 1` })
      .where(isTaken)
      .returning(claimed)
  })

/** Writes down how an attempt ended, unless its lease ran out and another worker has the mail now. */
const settle = ({ db }: Pick<Deps, 'db'>, { id, attempts, leaseUntil }: Claimed, change: Change): Promise<unknown> => {
  const isLease = leaseUntil ? eq(outbox.leaseUntil, leaseUntil) : isNull(outbox.leaseUntil)
  const isOurs = and(eq(outbox.id, id), isLease, eq(outbox.attempts, attempts), eq(outbox.status, 'pending'))
  return inTransaction(db, (tx) =>
    tx
      .update(outbox)
      .set({ leaseUntil: null, ...change })
      .where(isOurs),
  )
}
type Change = Partial<Omit<typeof outbox.$inferInsert, 'sentAt' | 'availableAt'>> & { sentAt?: SQL; availableAt?: SQL }

/** A mail that nobody will send, unless an administrator has it tried again: it keeps what it is to say, sealed. */
const bury = (deps: Deps, mail: Claimed, lastError: string) => settle(deps, mail, { status: 'dead', lastError })

async function deliver(deps: Deps, mail: Claimed): Promise<unknown> {
  if (mail.isExpired)
    return settle(deps, mail, {
      status: 'dead',
      payload: '',
      lastError: mail.lastError ?? 'expired before it could be sent',
    })
  // Nobody wrote down how the last attempts ended: the process ended with them.
  if (mail.attempts > ATTEMPTS_MAX) return bury(deps, mail, mail.lastError ?? 'every attempt was cut off')
  let values: Record<string, string> = {}
  try {
    values = JSON.parse(deps.secret.unseal(mail.payload)) as Record<string, string>
    const { appUrl, appName } = deps.config
    await deps.mailer.send({
      ...renderMail(mail.template as MailTemplate, mail.language, values, { appUrl, appName }),
      to: mail.recipient,
      language: mail.language,
      // The same id at every attempt: a server that took it before a crash can drop the second.
      messageId: `<${mail.id}@${new URL(appUrl).hostname}>`,
    })
  } catch (error) {
    const lastError = sendingErrorOf(error, { recipient: mail.recipient, values, smtpUrl: deps.config.smtpUrl })
    deps.log.warn({ mail: mail.id, attempts: mail.attempts, lastError }, 'a mail was not sent')
    const attempts = isServerAway(error) ? Math.min(mail.attempts, ATTEMPTS_AWAY) : mail.attempts
    if (attempts >= ATTEMPTS_MAX || isRefusedForGood(error)) return bury(deps, mail, lastError)
    const availableAt = sql`now() + make_interval(secs => ${backoff(attempts)})`
    return settle(deps, mail, { availableAt, attempts, lastError })
  }
  return settle(deps, mail, { status: 'sent', sentAt: sql`now()`, payload: '' })
}

export interface Worker {
  /** Resolves when the work under way is done. */
  stop(): Promise<void>
}

/** Sends what waits in the outbox: at once when woken, else within a second. Several processes may run it. */
export function startOutbox(deps: Deps): Worker & { wake(): void } {
  const worker = randomUUID()
  let isStopping = false
  let isWoken = false
  let endSleep = () => {}
  const wake = () => {
    isWoken = true
    endSleep()
  }
  const rest = async () => {
    if (!isWoken && !isStopping)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, IDLE_MS)
        endSleep = () => {
          clearTimeout(timer)
          resolve()
        }
      })
  }
  const work = async () => {
    while (!isStopping) {
      isWoken = false
      const mails = await claim(deps).catch((error: unknown) => {
        // A database that is away is told of by those who ask it; anything else would stop all mail without a word.
        deps.log[isDatabaseUnavailable(error) ? 'debug' : 'warn'](
          { err: error, worker },
          'the outbox could not be read',
        )
        return []
      })
      await Promise.all(
        mails.map((mail) =>
          deliver(deps, mail).catch((error: unknown) => deps.log.warn({ err: error }, 'a mail could not be settled')),
        ),
      )
      if (mails.length === 0) await rest()
    }
  }
  const awake = sleepers.get(deps.db) ?? new Set()
  sleepers.set(deps.db, awake.add(wake))
  const done = work()
  return {
    wake,
    async stop() {
      isStopping = true
      awake.delete(wake)
      endSleep()
      await done
    },
  }
}
