import { type Db, inTransaction, prepared, rawQuery, type Tx } from '@community/db'
import { mailBounces, users } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'
import { notify } from './notify.ts'

/** Consecutive permanent rejections after which mails to an address are paused. */
const BOUNCES_MAX = 3

const sameAddressCondition = sql`${mailBounces.email} = excluded.email`
// Locks the account first, as its deletion does: the notification of a pause refers to it.
const countBounce = prepared(
  'mail-bounces.count',
  rawQuery<{ userId: string; failures: number; isPaused: boolean }>(sql`
    insert into ${mailBounces} (user_id, email, failures)
    select id, email, 1 from ${users} where lower(email) = lower(${sql.placeholder('email')}) for key share
    on conflict (user_id) do update set email = excluded.email,
      failures = case when ${sameAddressCondition} then ${mailBounces.failures} + 1 else 1 end,
      paused_at = case when ${sameAddressCondition} then ${mailBounces.pausedAt} end
    returning user_id as "userId", failures, paused_at is not null as "isPaused"`),
)

/** Counts a permanent rejection of an account’s address. The third in a row pauses its mails and notifies the account in the app. */
export const recordBounce = (db: Db, email: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    const [bounce] = await countBounce(tx, { email })
    if (!bounce || bounce.isPaused || bounce.failures < BOUNCES_MAX) return
    const { userId } = bounce
    await tx.update(mailBounces).set({ pausedAt: sql`now()` }).where(eq(mailBounces.userId, userId))
    await notify(tx, { userId }, { kind: 'account.mail-paused', params: {}, actorId: null })
  })

const clearBounces = prepared(
  'mail-bounces.clear',
  rawQuery(sql`
    delete from ${mailBounces} where paused_at is null
      and user_id = (select id from ${users} where lower(email) = lower(${sql.placeholder('email')}))`),
)

/** Resets the count of rejections after an accepted mail, but does not end a pause. */
export const recordAcceptedMail = (db: Db, email: string): Promise<unknown> =>
  inTransaction(db, (tx) => clearBounces(tx, { email }))

/** Ends the pause of an account’s mails, if there is one. */
export const resumeMails = (tx: Tx, userId: string): Promise<unknown> =>
  tx.delete(mailBounces).where(eq(mailBounces.userId, userId))
