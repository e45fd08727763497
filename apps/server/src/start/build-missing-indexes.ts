import { setTimeout as sleep } from 'node:timers/promises'
import { buildIndexes } from '@community/db'
import type { FastifyBaseLogger } from 'fastify'

/** Milliseconds after which missing indexes are looked for again: the process that builds them may be stopped meanwhile. */
const INDEX_RETRY_MS = 60_000

/** Builds the missing indexes. The product works without them, so a failure is only logged, and tried again until none is missing. */
export async function buildMissingIndexes(url: string, log: FastifyBaseLogger, shutdown: AbortSignal): Promise<void> {
  while (!shutdown.aborted) {
    const isDone = await buildIndexes(url, shutdown).catch((error: unknown) => {
      if (!shutdown.aborted) log.error({ err: error }, 'the missing indexes could not be built')
      return false
    })
    if (isDone) return
    await sleep(INDEX_RETRY_MS, undefined, { signal: shutdown, ref: false }).catch(() => {})
  }
}
