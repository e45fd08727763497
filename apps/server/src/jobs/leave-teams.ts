import { inTransaction } from '@community/db'
import { type BannedMember, removeFromNextTeams } from '../admin/ban.ts'
import type { Deps } from '../context.ts'
import { RENEWED_LEASE_SECONDS } from './queue.ts'
import { runBatches } from './run-batches.ts'
import type { JobHandler } from './worker.ts'

/** Removes a banned user from the teams that the ban left. */
export const leaveTeamsHandler = ({ db }: Pick<Deps, 'db'>, stopping: AbortSignal): JobHandler => ({
  lease: RENEWED_LEASE_SECONDS,
  // A limit of its own: sign-in codes must not wait for thousands of teams.
  concurrency: 1,
  async run(job, payload) {
    // Only `ban` adds jobs of this kind.
    const banned = payload as BannedMember
    await runBatches(db, job, stopping, async () => {
      const hasMore = await inTransaction(db, (tx) => removeFromNextTeams(tx, banned))
      return hasMore ? banned.userId : undefined
    })
  },
})
