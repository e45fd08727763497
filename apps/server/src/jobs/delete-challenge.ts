import { inTransaction } from '@community/db'
import { deleteNextBatch, type DeleteChallengePayload } from '../admin/delete-challenge.ts'
import type { Deps } from '../context.ts'
import { RENEWED_LEASE_SECONDS } from './queue.ts'
import { runBatches } from './run-batches.ts'
import type { JobHandler } from './worker.ts'

/** Deletes the rest of a challenge that has more submissions than one transaction should delete. */
export const deleteChallengeHandler = (
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  stopping: AbortSignal,
): JobHandler => ({
  lease: RENEWED_LEASE_SECONDS,
  // A limit of its own, because these jobs run for minutes: sign-in codes must not wait for them.
  concurrency: 1,
  async run(job, payload) {
    // Only `deleteChallenge` adds jobs of this kind.
    const deletion = payload as DeleteChallengePayload
    await runBatches(db, job, stopping, async () => {
      const hasMore = await inTransaction(db, (tx) => deleteNextBatch(tx, { secret }, deletion))
      // The position does not matter: each batch finds what is left.
      return hasMore ? deletion.id : undefined
    })
  },
})
