import { inTransaction } from '@community/db'
import type { Deps } from '../context.ts'
import { notifyNext } from '../notifications/audience-commands.ts'
import type { LaterNotification } from '../notifications/notify-later.ts'
import { publishNext } from '../notifications/publish-announcement.ts'
import { findDueReminders } from '../notifications/queries.ts'
import { notifyOfDeadline } from '../notifications/remind.ts'
import { renewLease, wakeWorkers } from './queue.ts'
import type { JobHandler } from './worker.ts'

type NotificationDeps = Pick<Deps, 'db' | 'secret'>

/** Seconds for one batch; renewed after each, so that another process goes on soon after a crash. */
const BATCH_LEASE = 60

/** Notifies an audience in batches. After a crash it starts again: the key skips who is notified. */
export const notifyHandler = ({ db }: NotificationDeps): JobHandler => ({
  lease: BATCH_LEASE,
  async run(job, payload) {
    // Only `notifyLater` adds jobs of this kind.
    const { audience, about } = payload as LaterNotification
    const keyed = { ...about, key: about.key ?? job.id }
    let last: string | undefined
    do {
      const after = last
      last = (await inTransaction(db, (tx) => notifyNext(tx, audience, keyed, { after }))).last
    } while (last !== undefined && (await renewLease(db, job, BATCH_LEASE)))
  },
})

/** Publishes an announcement in batches. */
export const announcementHandler = ({ db }: NotificationDeps): JobHandler => ({
  lease: BATCH_LEASE,
  async run(job, payload) {
    // Only `announce` adds jobs of this kind.
    const { id } = payload as { id: string }
    let last: string | undefined
    do {
      const after = last
      last = await inTransaction(db, (tx) => publishNext(tx, id, after))
    } while (last !== undefined && (await renewLease(db, job, BATCH_LEASE)))
  },
})

/** Reminds teams of deadlines: once for each step, however many processes there are. */
export const challengeRemindersHandler = ({ db, secret }: NotificationDeps): JobHandler => ({
  every: 60,
  lease: 60,
  async run() {
    await inTransaction(db, async (tx) => {
      for (const due of await findDueReminders(tx)) await notifyOfDeadline(tx, { secret }, due)
    })
    wakeWorkers(db)
  },
})
