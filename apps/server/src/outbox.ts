import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Language } from '@community/contract'
import { inTransaction, type Tx } from '@community/db'
import { outbox } from '@community/db/schema'
import { and, asc, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Deps } from './context.ts'
import { type MailTemplate, renderMail } from './mails/render.ts'

export type { MailTemplate }

export interface QueuedMail {
  template: MailTemplate
  to: string
  language: Language
  values: Record<string, string>
  /** Pointless after this instant of the database's clock. */
  expiresAt?: SQL
}

/** Writes a mail into the transaction it belongs to; a worker sends it after the commit. */
export async function queueMail(tx: Tx, { secret }: Pick<Deps, 'secret'>, mail: QueuedMail): Promise<void> {
  await tx.insert(outbox).values({
    template: mail.template,
    recipient: mail.to,
    language: mail.language,
    payload: secret.seal(JSON.stringify(mail.values)),
    ...(mail.expiresAt && { expiresAt: mail.expiresAt }),
  })
}

const IDLE_MS = 250
const BATCH = 5
/** Seconds a worker has for a batch; then it has crashed and another takes over. */
const LEASE = 60
const ATTEMPTS_MAX = 10
/** Seconds before the next attempt: 2, 4, 8 … up to ten minutes, and not all at once. */
const backoff = (attempts: number) => Math.min(600, 2 ** attempts) * (0.75 + Math.random() / 2)

type Row = typeof outbox.$inferSelect

/** Takes some mails that are due; no other worker gets them while the lease runs. */
const claim = ({ db }: Deps): Promise<Row[]> =>
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
    return tx
      .update(outbox)
      .set({ leaseUntil: sql`now() + make_interval(secs => ${LEASE})`, attempts: sql`${outbox.attempts} + 1` })
      .where(
        inArray(
          outbox.id,
          due.map(({ id }) => id),
        ),
      )
      .returning()
  })

const isExpired = (row: Row) => row.expiresAt !== null && row.expiresAt < new Date()

async function deliver(deps: Deps, row: Row): Promise<void> {
  const settle = (change: Partial<Record<keyof Row, unknown>>) =>
    inTransaction(deps.db, (tx) =>
      tx
        .update(outbox)
        .set({ leaseUntil: null, ...change } as Partial<Row>)
        .where(eq(outbox.id, row.id)),
    )
  if (isExpired(row)) {
    await settle({ status: 'dead', payload: '', lastError: 'expired before it could be sent' })
    return
  }
  try {
    const values = JSON.parse(deps.secret.open(row.payload)) as Record<string, string>
    const rendered = renderMail(row.template as MailTemplate, row.language, values, { appUrl: deps.env.appUrl })
    // The same id at every attempt: a server that took it before a crash can drop the second.
    await deps.mailer.send({
      ...rendered,
      to: row.recipient,
      language: row.language,
      messageId: `<${row.id}@community>`,
    })
    await settle({ status: 'sent', sentAt: sql`now()`, payload: '' })
  } catch (error) {
    const lastError = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    deps.log.warn({ mail: row.id, attempts: row.attempts, lastError }, 'a mail was not sent')
    if (row.attempts >= ATTEMPTS_MAX) await settle({ status: 'dead', payload: '', lastError })
    else await settle({ availableAt: sql`now() + make_interval(secs => ${backoff(row.attempts)})`, lastError })
  }
}

export interface Worker {
  /** Resolves when the work under way is done. */
  stop(): Promise<void>
}

/** Sends what waits in the outbox; several processes may run it. */
export function startOutbox(deps: Deps): Worker {
  const stopping = new AbortController()
  const id = randomUUID()
  const work = async () => {
    while (!stopping.signal.aborted) {
      const rows = await claim(deps).catch((error: unknown) => {
        deps.log.debug({ err: error, worker: id }, 'the outbox could not be read')
        return []
      })
      await Promise.all(
        rows.map((row) =>
          deliver(deps, row).catch((error: unknown) => deps.log.warn({ err: error }, 'a mail could not be settled')),
        ),
      )
      if (rows.length === 0) await sleep(IDLE_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const done = work()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}
