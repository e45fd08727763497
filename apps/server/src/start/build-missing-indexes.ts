import { setTimeout as sleep } from 'node:timers/promises'
import { buildIndexes } from '@community/db'
import type { FastifyBaseLogger } from 'fastify'

/** Minutes until missing indexes are built again: each attempt may scan the tables, and fail because of the same long transaction. */
const RETRY_MINUTES = [1, 5, 15, 60]

/** Builds the missing indexes. The product works without them, so a failure is only logged, and tried again until none is missing. */
export async function buildMissingIndexes(url: string, log: FastifyBaseLogger, shutdown: AbortSignal): Promise<void> {
  for (let attempt = 0; !shutdown.aborted; attempt++) {
    const isDone = await buildIndexes(url, shutdown).catch((error: unknown) => {
      if (!shutdown.aborted) log.error({ err: error }, 'the missing indexes could not be built')
      return false
    })
    if (isDone) return
    const minutes = RETRY_MINUTES[attempt] ?? 60
    await sleep(minutes * 60_000, undefined, { signal: shutdown, ref: false }).catch(() => {})
  }
}
